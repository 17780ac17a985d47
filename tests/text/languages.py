"""The same few sentences in many languages, our own words: what a page about crawlers might say."""

from __future__ import annotations

PROSE = {
    "en": "A crawler reads the pages of a site one after another. It first asks whether it may read them, and it waits a "
    "few seconds between two requests, so that the server has time for its visitors. Pages that say nothing new are left "
    "out. What remains is kept with the date of the visit and can be found again later.",
    "de": "Ein Crawler liest die Seiten einer Website nacheinander. Zuerst fragt er, ob er sie lesen darf, und zwischen "
    "zwei Anfragen wartet er einige Sekunden, damit der Server Zeit für seine Besucher hat. Seiten, die nichts Neues sagen, "
    "werden ausgelassen. Was übrig bleibt, wird mit dem Datum des Besuchs aufbewahrt und lässt sich später wiederfinden.",
    "fr": "Un robot lit les pages d'un site l'une après l'autre. Il demande d'abord s'il a le droit de les lire, et il "
    "attend quelques secondes entre deux requêtes pour que le serveur ait du temps pour ses visiteurs. Les pages qui ne "
    "disent rien de nouveau sont laissées de côté. Ce qui reste est conservé avec la date de la visite et peut être "
    "retrouvé plus tard.",
    "es": "Un rastreador lee las páginas de un sitio una tras otra. Primero pregunta si puede leerlas y espera unos "
    "segundos entre dos peticiones, para que el servidor tenga tiempo para sus visitantes. Las páginas que no dicen nada "
    "nuevo se dejan de lado. Lo que queda se guarda con la fecha de la visita y se puede encontrar más tarde.",
    "pt": "Um rastreador lê as páginas de um sítio uma após a outra. Primeiro pergunta se as pode ler e espera alguns "
    "segundos entre dois pedidos, para que o servidor tenha tempo para os seus visitantes. As páginas que não dizem nada de "
    "novo são deixadas de fora. O que resta é guardado com a data da visita e pode ser encontrado mais tarde.",
    "it": "Un crawler legge le pagine di un sito una dopo l'altra. Prima chiede se può leggerle e aspetta alcuni secondi "
    "tra due richieste, perché il server abbia tempo per i suoi visitatori. Le pagine che non dicono nulla di nuovo vengono "
    "lasciate fuori. Quello che rimane viene conservato con la data della visita e si può ritrovare più tardi.",
    "nl": "Een crawler leest de pagina's van een site een voor een. Eerst vraagt hij of hij ze mag lezen, en tussen twee "
    "verzoeken wacht hij een paar seconden, zodat de server tijd heeft voor zijn bezoekers. Pagina's die niets nieuws "
    "zeggen worden weggelaten. Wat overblijft wordt bewaard met de datum van het bezoek en is later terug te vinden.",
    "sv": "En sökrobot läser sidorna på en webbplats en efter en. Först frågar den om den får läsa dem, och mellan två "
    "frågor väntar den några sekunder så att servern har tid för sina besökare. Sidor som inte säger något nytt lämnas "
    "utanför. Det som återstår sparas med datumet för besöket och kan hittas igen senare.",
    "da": "En søgerobot læser siderne på et websted en efter en. Først spørger den, om den må læse dem, og mellem to "
    "forespørgsler venter den nogle sekunder, så serveren har tid til sine besøgende. Sider, der ikke siger noget nyt, "
    "bliver udeladt. Det, der er tilbage, gemmes med datoen for besøget og kan findes igen senere.",
    "pl": "Robot czyta strony witryny jedna po drugiej. Najpierw pyta, czy wolno mu je czytać, a między dwoma żądaniami "
    "czeka kilka sekund, żeby serwer miał czas dla swoich gości. Strony, które nie mówią nic nowego, są pomijane. To, co "
    "zostaje, jest przechowywane z datą odwiedzin i można to później odnaleźć.",
    "cs": "Robot čte stránky webu jednu po druhé. Nejprve se zeptá, zda je smí číst, a mezi dvěma požadavky čeká několik "
    "sekund, aby měl server čas na své návštěvníky. Stránky, které neříkají nic nového, se vynechávají. Co zbývá, se "
    "uchovává s datem návštěvy a dá se později znovu najít.",
    "ru": "Робот читает страницы сайта одну за другой. Сначала он спрашивает, можно ли их читать, и между двумя запросами "
    "ждёт несколько секунд, чтобы у сервера было время для посетителей. Страницы, которые не говорят ничего нового, "
    "пропускаются. То, что остаётся, хранится с датой посещения и может быть найдено позже.",
    "tr": "Bir tarayıcı, bir sitenin sayfalarını birbiri ardına okur. Önce onları okuyup okuyamayacağını sorar ve sunucunun "
    "ziyaretçilerine vakti olsun diye iki istek arasında birkaç saniye bekler. Yeni bir şey söylemeyen sayfalar dışarıda "
    "bırakılır. Geriye kalanlar ziyaret tarihiyle saklanır ve daha sonra yeniden bulunabilir.",
    "vi": "Một trình thu thập đọc các trang của một trang mạng lần lượt từng trang một. Trước hết nó hỏi xem "
    "có được phép đọc hay không, và chờ vài giây giữa hai yêu cầu để máy chủ có thời gian cho khách của mình. "
    "Những trang không nói điều gì mới sẽ bị bỏ qua. Những gì còn lại được lưu cùng ngày ghé thăm và có thể được "
    "tìm lại sau này.",
    "ja": "クローラはサイトのページを一つずつ読む。まず読んでもよいかを尋ね、サーバが訪問者のために働けるように、二つの要求"
    "の間で数秒待つ。新しいことを述べないページは省かれる。残ったものは訪問の日付とともに保存され、後で見つけることができる"
    "。",
    "ko": "크롤러는 사이트의 페이지를 하나씩 읽는다. 먼저 읽어도 되는지 묻고, 서버가 방문자를 위해 일할 수 있도록 두 요청 "
    "사이에 몇 초를 기다린다. 새로운 것을 말하지 않는 페이지는 빠진다. 남은 것은 방문한 날짜와 함께 보관되어 나중에 다시 "
    "찾을 수 있다.",
    "zh": "爬虫一页一页地读取网站的网页。它先询问是否可以读取，并在两次请求之间等待几秒，让服务器有时间接待访客。没有新内容"
    "的网页会被略去，剩下的网页连同访问日期一起保存，以后还可以找到。",
}
TRADITIONAL = (
    "爬蟲一頁一頁地讀取網站的網頁。它先詢問是否可以讀取，並在兩次請求之間等待幾秒，讓伺服器有時間接待訪客。沒有新內容的網頁"
    "會被略去，剩下的網頁連同訪問日期一起保存，以後還可以找到。"
)
