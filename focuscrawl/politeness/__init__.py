"""When may this host be asked, and for what? robots.txt, pace, DNS, and which addresses may be reached. Pure except DNS."""
