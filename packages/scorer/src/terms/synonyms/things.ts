/** Objects of actions, groups separated by semicolons. */
export const things = `
association relation relationship connection edge link; entity node object item; fact observation
statement; tree hierarchy nested structure; memory knowledge; metadata info information detail
property attribute; paragraph section passage; alarm reminder; album playlist; article post blog
story; audio sound voice speech; branch fork; bug issue ticket; calendar schedule agenda event
appointment meeting; car vehicle automobile; category genre kind; chart graph plot diagram
visualize visualization draw; chat conversation dialogue; city town; code source program; column
field attribute property; comment remark note annotation feedback review; commit revision; company
business corporation organization firm; contact person people member; country nation; currency
money exchange; customer client; data dataset information; database sql; dependency package
library module; dictionary definition meaning define; distance far; document file; employee staff
worker; error exception failure fault problem; expense cost spending; flight airline airplane
plane; food meal dish recipe cuisine; football soccer; game match; group team; health medical;
history log past; home house property; hotel accommodation lodging; image picture photo
photograph; job work career; task todo; key secret credential token password; keyword term; laptop
computer notebook; language locale; location place address position coordinates; lyrics song; map
navigation route directions; maximum highest largest; measure metric statistic stats analytics;
minimum lowest smallest; music song track; name title; near nearby closest around; news headline;
note notebook memo; number count quantity amount; page site website webpage; phone telephone
mobile call; poem poetry; price cost quote rate; product item goods; profile account user;
question quiz trivia; rating score review; record entry row; report document; result outcome
output; road street traffic; setting configuration option preference; shop store shopping; ship
deliver delivery shipment shipping; size length dimension; sport athletics; stock share equity
ticker; student learner pupil; system machine host server; table spreadsheet sheet; tag label;
temperature weather climate forecast; text string content; time hour clock timezone; train
railway; travel trip tour vacation holiday; url link address website; user account member; video
clip; wallet balance; webpage website web browser; word vocabulary; birthday anniversary; brand
manufacturer maker; bus transit transport transportation; class course subject; cloud server
hosting; command shell terminal script; congestion jam traffic; cook cooking recipe;
cryptocurrency bitcoin token coin; disease illness condition symptom; doctor hospital clinic; drug
medicine medication; earn earning income revenue profit salary wage; fast quick speed rapid; fight
battle war; friend follower following contact; insight analysis analyze; investment portfolio
fund; law legal regulation; line row; member participant attendee; meeting conference call;
nutrition calorie diet; occur happen; owner holder; parcel package shipment; party event
celebration; password passphrase; plan itinerary schedule; plant flower; region area zone; screen
display; sale deal discount coupon promotion; seat ticket; sensor device; space disk storage;
statement bill invoice; tax duty; teacher instructor professor; theme topic subject; thread
conversation discussion; tweet post status; university college school; vulnerability security
risk; weight mass
`
