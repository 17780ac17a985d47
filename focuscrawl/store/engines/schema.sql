CREATE TABLE band (
	"key" BIGINT NOT NULL,
	page_id INTEGER NOT NULL,
	PRIMARY KEY ("key", page_id)
)
 WITHOUT ROWID;

CREATE TABLE body (
	page_id INTEGER NOT NULL,
	text BLOB NOT NULL,
	links BLOB NOT NULL,
	PRIMARY KEY (page_id)
);

CREATE TABLE change (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	at FLOAT NOT NULL,
	run INTEGER NOT NULL,
	kind TEXT NOT NULL,
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	page_id INTEGER NOT NULL,
	url TEXT NOT NULL,
	distance SMALLINT DEFAULT '0' NOT NULL,
	version INTEGER DEFAULT '0' NOT NULL,
	detail TEXT DEFAULT '' NOT NULL
);

CREATE INDEX change_at ON change (at);

CREATE INDEX change_page ON change (hid, uid, id);

CREATE TABLE content (
	extractor TEXT DEFAULT '' NOT NULL,
	template TEXT DEFAULT '' NOT NULL,
	language TEXT DEFAULT '' NOT NULL,
	languages TEXT DEFAULT '[]' NOT NULL,
	author TEXT DEFAULT '' NOT NULL,
	published TEXT DEFAULT '' NOT NULL,
	modified TEXT DEFAULT '' NOT NULL,
	canonical TEXT DEFAULT '' NOT NULL,
	site_name TEXT DEFAULT '' NOT NULL,
	category TEXT DEFAULT '' NOT NULL,
	licence TEXT DEFAULT '' NOT NULL,
	reserved TEXT DEFAULT '[]' NOT NULL,
	words INTEGER DEFAULT '0' NOT NULL,
	characters INTEGER DEFAULT '0' NOT NULL,
	code_share FLOAT DEFAULT '0.0' NOT NULL,
	link_share FLOAT DEFAULT '0.0' NOT NULL,
	quality FLOAT DEFAULT '0.0' NOT NULL,
	signals TEXT NOT NULL,
	text BLOB NOT NULL,
	outline TEXT DEFAULT '[]' NOT NULL,
	page_id INTEGER NOT NULL,
	PRIMARY KEY (page_id)
);

CREATE TABLE fetches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	worker INTEGER NOT NULL,
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	page_id INTEGER NOT NULL,
	at FLOAT NOT NULL,
	status SMALLINT NOT NULL,
	error TEXT DEFAULT '' NOT NULL,
	redirect TEXT DEFAULT '' NOT NULL,
	priority FLOAT NOT NULL,
	depth INTEGER NOT NULL,
	distance SMALLINT NOT NULL,
	tries SMALLINT NOT NULL,
	hops SMALLINT NOT NULL,
	kind SMALLINT NOT NULL,
	parent BIGINT NOT NULL,
	tx BIGINT DEFAULT '0' NOT NULL
);

CREATE INDEX fetch_redirect ON fetches (redirect) WHERE redirect <> '' AND length(redirect) < 1000;

CREATE INDEX fetch_tx ON fetches (tx, id);

CREATE TABLE host (
	hid BIGINT NOT NULL,
	origin TEXT NOT NULL,
	name TEXT NOT NULL,
	site TEXT NOT NULL,
	best_priority FLOAT,
	ready_at FLOAT DEFAULT '0' NOT NULL,
	ip_address TEXT DEFAULT '' NOT NULL,
	pace TEXT DEFAULT '' NOT NULL,
	robots_until FLOAT DEFAULT '0' NOT NULL,
	found_at FLOAT DEFAULT '0' NOT NULL,
	requests INTEGER DEFAULT '0' NOT NULL,
	pages INTEGER DEFAULT '0' NOT NULL,
	relevant INTEGER DEFAULT '0' NOT NULL,
	duplicates INTEGER DEFAULT '0' NOT NULL,
	errors INTEGER DEFAULT '0' NOT NULL,
	links INTEGER DEFAULT '0' NOT NULL,
	held SMALLINT DEFAULT '0' NOT NULL,
	bucket SMALLINT DEFAULT '0' NOT NULL,
	PRIMARY KEY (hid)
);

CREATE INDEX host_best ON host (best_priority DESC, (cast(pages as bigint)+errors), (robots_until=0), ready_at) WHERE best_priority IS NOT NULL;

CREATE INDEX host_held ON host (name) WHERE held = 1;

CREATE INDEX host_name ON host (name);

CREATE INDEX host_site ON host (site);

CREATE TABLE inlink (
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	page_id INTEGER NOT NULL,
	PRIMARY KEY (hid, uid, page_id)
)
 WITHOUT ROWID;

CREATE TABLE ip_pace (
	ip_address TEXT NOT NULL,
	ready_at FLOAT DEFAULT '0' NOT NULL,
	pace TEXT DEFAULT '' NOT NULL,
	PRIMARY KEY (ip_address)
);

CREATE TABLE lease (
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	worker INTEGER NOT NULL,
	name TEXT NOT NULL,
	ip_address TEXT DEFAULT '' NOT NULL,
	leased_at FLOAT NOT NULL,
	in_flight SMALLINT DEFAULT '1' NOT NULL,
	PRIMARY KEY (hid, uid)
)
 WITHOUT ROWID;

CREATE TABLE meta (
	"key" TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY ("key")
);

CREATE TABLE model (
	name TEXT NOT NULL,
	version INTEGER NOT NULL,
	at FLOAT NOT NULL,
	worker INTEGER NOT NULL,
	body BLOB NOT NULL,
	PRIMARY KEY (name)
);

CREATE TABLE page (
	page_id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	url TEXT NOT NULL,
	run INTEGER NOT NULL,
	worker INTEGER NOT NULL,
	status SMALLINT NOT NULL,
	fetched_at FLOAT NOT NULL,
	latency FLOAT NOT NULL,
	ip_address TEXT NOT NULL,
	content_type TEXT NOT NULL,
	charset TEXT NOT NULL,
	language TEXT NOT NULL,
	length INTEGER NOT NULL,
	truncated TEXT NOT NULL,
	certificate TEXT DEFAULT '' NOT NULL,
	etag TEXT NOT NULL,
	last_modified TEXT NOT NULL,
	title TEXT NOT NULL,
	keywords TEXT NOT NULL,
	description TEXT NOT NULL,
	summary TEXT NOT NULL,
	kind TEXT NOT NULL,
	relevance FLOAT NOT NULL,
	relevant SMALLINT NOT NULL,
	threshold FLOAT NOT NULL,
	terms TEXT NOT NULL,
	similarity FLOAT DEFAULT '0.0' NOT NULL,
	priority FLOAT NOT NULL,
	depth INTEGER NOT NULL,
	distance SMALLINT NOT NULL,
	parent BIGINT NOT NULL,
	example SMALLINT NOT NULL,
	noindex SMALLINT NOT NULL,
	digest BLOB NOT NULL,
	simhash BIGINT NOT NULL,
	features BLOB NOT NULL,
	original INTEGER,
	original_similarity FLOAT NOT NULL,
	warc TEXT NOT NULL,
	warc_offset BIGINT NOT NULL,
	warc_length BIGINT NOT NULL,
	timings TEXT NOT NULL,
	content_version SMALLINT DEFAULT '0' NOT NULL,
	gone SMALLINT DEFAULT '0' NOT NULL
);

CREATE INDEX page_digest ON page (digest) WHERE original IS NULL;

CREATE INDEX page_gone ON page (hid, uid) WHERE gone >= 2;

CREATE INDEX page_original ON page (original) WHERE original IS NOT NULL;

CREATE INDEX page_unread ON page (page_id) WHERE relevant = 1 AND original IS NULL AND content_version = 0 AND warc <> '';

CREATE UNIQUE INDEX page_url ON page (hid, uid);

CREATE TABLE refused (
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	rule TEXT NOT NULL,
	page_id INTEGER NOT NULL,
	PRIMARY KEY (hid, uid)
)
 WITHOUT ROWID;

CREATE TABLE revisit (
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	kind SMALLINT DEFAULT '0' NOT NULL,
	due_at FLOAT DEFAULT '0.0' NOT NULL,
	value FLOAT DEFAULT '0.0' NOT NULL,
	first_at FLOAT DEFAULT '0.0' NOT NULL,
	checked_at FLOAT DEFAULT '0.0' NOT NULL,
	read_at FLOAT DEFAULT '0.0' NOT NULL,
	changed_at FLOAT DEFAULT '0.0' NOT NULL,
	visits INTEGER DEFAULT '0' NOT NULL,
	changes INTEGER DEFAULT '0' NOT NULL,
	unread SMALLINT DEFAULT '0' NOT NULL,
	shape FLOAT DEFAULT '0.0' NOT NULL,
	exposure FLOAT DEFAULT '0.0' NOT NULL,
	period FLOAT DEFAULT '0.0' NOT NULL,
	weight FLOAT DEFAULT '0.0' NOT NULL,
	hub FLOAT DEFAULT '0.0' NOT NULL,
	magnitude FLOAT DEFAULT '0.0' NOT NULL,
	signal FLOAT DEFAULT '0.0' NOT NULL,
	signal_at FLOAT DEFAULT '0.0' NOT NULL,
	signal_kind SMALLINT DEFAULT '0' NOT NULL,
	gone SMALLINT DEFAULT '0' NOT NULL,
	gone_at FLOAT DEFAULT '0.0' NOT NULL,
	signature_simhash BIGINT DEFAULT '0' NOT NULL,
	signature_digest BLOB NOT NULL,
	length BIGINT DEFAULT '-1' NOT NULL,
	etag TEXT DEFAULT '' NOT NULL,
	modified TEXT DEFAULT '' NOT NULL,
	rest SMALLINT DEFAULT '3' NOT NULL,
	PRIMARY KEY (hid, uid)
)
 WITHOUT ROWID;

CREATE INDEX revisit_due ON revisit (due_at, hid, uid);

CREATE INDEX revisit_value ON revisit (value DESC) WHERE value > 0;

CREATE TABLE robots (
	origin TEXT NOT NULL,
	state TEXT NOT NULL,
	status INTEGER DEFAULT '0' NOT NULL,
	body BLOB NOT NULL,
	fetched_at FLOAT NOT NULL,
	expires_at FLOAT NOT NULL,
	error TEXT DEFAULT '' NOT NULL,
	PRIMARY KEY (origin)
);

CREATE TABLE run (
	id INTEGER NOT NULL,
	started_at FLOAT NOT NULL,
	ended_at FLOAT,
	reason TEXT,
	why TEXT DEFAULT '' NOT NULL,
	arguments TEXT DEFAULT '{}' NOT NULL,
	stats TEXT DEFAULT '{}' NOT NULL,
	PRIMARY KEY (id)
);

CREATE TABLE site_profile (
	hid BIGINT NOT NULL,
	changes FLOAT DEFAULT '0.0' NOT NULL,
	exposure FLOAT DEFAULT '0.0' NOT NULL,
	threshold FLOAT DEFAULT '0.0' NOT NULL,
	headers_right INTEGER DEFAULT '0' NOT NULL,
	headers_wrong INTEGER DEFAULT '0' NOT NULL,
	sitemap_right INTEGER DEFAULT '0' NOT NULL,
	sitemap_wrong INTEGER DEFAULT '0' NOT NULL,
	feed_right INTEGER DEFAULT '0' NOT NULL,
	feed_wrong INTEGER DEFAULT '0' NOT NULL,
	failure_share FLOAT DEFAULT '0.0' NOT NULL,
	soft404_simhash BIGINT,
	soft404_probed_at FLOAT DEFAULT '0.0' NOT NULL,
	PRIMARY KEY (hid)
);

CREATE TABLE standing (
	page_id INTEGER NOT NULL,
	weight FLOAT NOT NULL,
	in_degree INTEGER NOT NULL,
	parents FLOAT NOT NULL,
	copies INTEGER NOT NULL,
	directory_depth INTEGER NOT NULL,
	PRIMARY KEY (page_id)
);

CREATE TABLE url (
	hid BIGINT NOT NULL,
	uid BIGINT NOT NULL,
	state SMALLINT DEFAULT '0' NOT NULL,
	priority FLOAT NOT NULL,
	due_at FLOAT DEFAULT '0' NOT NULL,
	depth INTEGER DEFAULT '0' NOT NULL,
	distance SMALLINT DEFAULT '0' NOT NULL,
	tries SMALLINT DEFAULT '0' NOT NULL,
	crashes SMALLINT DEFAULT '0' NOT NULL,
	hops SMALLINT DEFAULT '0' NOT NULL,
	kind SMALLINT DEFAULT '0' NOT NULL,
	parent BIGINT DEFAULT '0' NOT NULL,
	status SMALLINT DEFAULT '0' NOT NULL,
	error TEXT DEFAULT '' NOT NULL,
	path TEXT NOT NULL,
	priority_parts TEXT DEFAULT '' NOT NULL,
	bucket SMALLINT DEFAULT '0' NOT NULL,
	PRIMARY KEY (hid, uid)
)
 WITHOUT ROWID;

CREATE INDEX url_due ON url (due_at) WHERE state = 2;

CREATE INDEX url_q ON url (hid, priority DESC) WHERE state = 0;

CREATE TABLE verdict (
	page_id INTEGER NOT NULL,
	topic TEXT NOT NULL,
	relevance FLOAT NOT NULL,
	relevant SMALLINT NOT NULL,
	threshold FLOAT NOT NULL,
	terms TEXT NOT NULL,
	similarity FLOAT DEFAULT '0' NOT NULL,
	PRIMARY KEY (page_id, topic)
)
 WITHOUT ROWID;

CREATE TABLE version (
	page_id INTEGER NOT NULL,
	number INTEGER NOT NULL,
	read_at FLOAT NOT NULL,
	replaced_at FLOAT NOT NULL,
	title TEXT NOT NULL,
	text BLOB NOT NULL,
	distance SMALLINT NOT NULL,
	words_added INTEGER NOT NULL,
	words_gone INTEGER NOT NULL,
	links_added TEXT NOT NULL,
	links_gone TEXT NOT NULL,
	PRIMARY KEY (page_id, number)
)
 WITHOUT ROWID;

CREATE TABLE worker (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL,
	machine TEXT NOT NULL,
	process_id INTEGER NOT NULL,
	process_started FLOAT NOT NULL,
	beat_at FLOAT NOT NULL,
	state TEXT NOT NULL,
	warc TEXT DEFAULT '' NOT NULL,
	warc_length BIGINT DEFAULT '0' NOT NULL,
	directory_id TEXT DEFAULT '' NOT NULL,
	warc_cut SMALLINT DEFAULT '0' NOT NULL,
	stats TEXT DEFAULT '{}' NOT NULL
);

create view site as select
    site as name, min(origin) as url, count(*) as hosts,
    case when max(best_priority) is null then 'done' else 'waiting' end as state, sum(pages) as pages,
    sum(relevant) as relevant, sum(links) as links from host group by site;
