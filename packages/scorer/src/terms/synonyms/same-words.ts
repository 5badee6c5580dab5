/**
 * The same word in other forms: abbreviations, spellings, irregular forms, and related words with
 * different stems, groups separated by semicolons.
 */
export const sameWords = `
info information; repo repository; config configuration; doc document; db database; dir directory
folder; auth authentication; authn authentication; param parameter; arg argument; admin
administrator; app application; org organization organisation; img image; pic picture; msg
message; num number; id identifier ids; pr pull; tz timezone; env environment; lang language; desc
description; addr address; temp temperature; lat latitude; lon lng long longitude; geo geographic
geographical; coordinate coord; stats statistic statistics; spec specification; calc calculate
calculator; exec execute; del delete; mkdir directory; ls list; ai artificial; tv television;
movie film; max maximum; min minimum; avg average; std standard; asap soon; crypto cryptocurrency;
cv resume; exam examination; gym gymnasium; ad advertisement advert; promo promotion; intl
international; dept department; govt government; uni university; vid video; email mail; zip
zipcode postcode; qr qrcode; url link uri; website site; colour color; centre center; favourite
favorite; organise organize; summarise summarize; analyse analyze analysis analyses; visualise
visualize visualization; catalogue catalog; licence license; cheque check; buy bought purchase;
send sent; find found; write wrote written; person people; child children kid; man men; woman
women; run ran; get got; choose chose chosen; sell sold sale; pay paid payment; weather
meteorological; login signin logon; signup register registration; picture image; lawyer attorney;
doctor physician; modify modification; verify verification; notify notification; identify
identification; classify classification; specify specification; subscribe subscription; describe
description; define definition; recognize recognition; compare comparison; submit submission;
permit permission; inquire inquiry enquiry; depart departure; deliver delivery; discover
discovery; recover recovery; day daily; week weekly; month monthly; year yearly annual; hour
hourly; geography geographic; history historical; medicine medical; finance financial; science
scientific; chemistry chemical; health healthy; safe safety; grow growth; lose loss; apply
application; authorize authorization authority; communicate communication; organize organization
organizer; converse conversation; compute computer computation; produce production product; reduce
reduction; expand expansion; extend extension; decide decision; reply response respond; detect
detector detection; near nearby; animate animation; university college; math mathematics
mathematical arithmetic; photo photography photographer; vary variation variant; analyze analytics
analytical
`
