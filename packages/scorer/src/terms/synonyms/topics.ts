/** A topic, and words that imply it. */
export const topics = `
login: password credential username passcode; weather: fog rain rainy snow storm sunny sunshine
wind windy humidity humid cloudy thunder hurricane tornado umbrella hot cold warm celsius
fahrenheit temperature forecast climate; finance: stock share bond dividend equity market invest
investor investment portfolio fund etf nasdaq dow currency dollar euro yen pound loan mortgage
credit debit interest inflation earnings revenue price ratio bank trading crypto bitcoin ethereum
nft forex hedge; financial: stock bond dividend market invest investment portfolio fund loan
mortgage credit earnings revenue bank budget; currency: dollar euro yen yuan pound rupee peso
franc usd eur gbp jpy cny inr forex exchange; crypto: bitcoin ethereum btc eth dogecoin blockchain
nft token wallet coin defi altcoin solana; travel: trip flight hotel ferry cruise vacation holiday
itinerary tourist tourism sightseeing destination journey airline airport train visa passport
luggage backpack resort beach hike abroad; trip: flight hotel ferry cruise vacation holiday
itinerary destination journey airline resort hostel airbnb; tourism: tourist sightseeing
attraction landmark museum hike trail park scenic guide; food: restaurant dinner lunch breakfast
eat hungry pizza burger sushi pasta vegan vegetarian snack cuisine ingredient bakery cafe;
restaurant: dinner lunch eat dining pizza sushi burger cuisine menu cafe reservation; recipe: cook
bake ingredient dish dinner soup cake chicken vegan vegetarian dessert; nutrition: calorie protein
carb vitamin diet fat sugar healthy; sport: football basketball soccer tennis baseball cricket
hockey golf rugby nba nfl league team player tournament championship match olympic; music: song
album artist band singer concert playlist lyric guitar piano rock jazz pop rap melody tune; movie:
film actor actress cinema director hollywood netflix series watch trailer oscar; video: youtube
tiktok clip film movie footage vlog; book: novel author read literature fiction publisher isbn
library chapter; game: gaming gamer player xbox playstation nintendo steam quest level esport
chess minecraft; health: doctor symptom disease medicine hospital patient pain headache fever sick
illness therapy diet exercise wellness medical mental; medical: doctor symptom disease medicine
patient diagnosis treatment hospital clinical drug; fitness: exercise workout gym muscle run yoga
training weight cardio; course: learn class lesson tutorial study education degree certificate
training lecture exam teach skill beginner university; education: school student learn teach study
university college course exam classroom homework tutor; learn: study exam lesson skill practice
course memorize homework; job: career hire hiring recruit recruitment employment resume salary
vacancy interview employer; estate: house apartment rent rental home property mortgage tenant
landlord; property: house apartment rent rental home condo villa; car: vehicle truck sedan suv
honda toyota ford bmw tesla dealer dealership auto engine; shopping: buy purchase product cheap
price store shop discount sale brand cart order; product: buy purchase shop phone laptop shoe
dress headphones; gift: present birthday anniversary christmas wedding valentine; news: headline
article press journalism breaking politics election event; social: twitter facebook instagram
tiktok tweet follower hashtag post influencer; law: legal lawyer court attorney lawsuit contract
rights regulation statute; space: astronomy planet star moon mars nasa satellite asteroid galaxy
telescope; astronomy: planet star moon constellation telescope sunrise sunset eclipse galaxy;
math: equation algebra calculus integral derivative fraction geometry multiply divide; calculator:
calculate multiply divide sum percent percentage equation; code: programming python javascript
java program developer bug function algorithm github script; programming: code python javascript
java developer software algorithm debug; design: logo banner poster graphic layout font color
template; image: picture photo drawing illustration art wallpaper logo painting; map: direction
route address location navigate distance drive; location: city country address street nearby
latitude longitude region place; transport: bus train subway metro taxi tram commute traffic
station; energy: electricity solar power oil gas fuel renewable battery grid; pet: dog cat puppy
kitten animal breed veterinary; event: concert festival conference party meetup wedding show
theater ticket; astrology: horoscope zodiac tarot aries taurus gemini cancer leo virgo libra
scorpio sagittarius capricorn aquarius pisces; religion: bible quran prayer verse church islam
christian; dictionary: word meaning definition synonym antonym spelling vocabulary; translate:
spanish french german chinese japanese english italian korean portuguese russian arabic; language:
spanish french german chinese japanese english italian korean portuguese russian grammar; domain:
dns whois website hosting registrar url ip ssl; seo: keyword ranking backlink traffic google
optimization serp; marketing: campaign advertising brand audience seo promotion sales lead; email:
inbox mail gmail outlook newsletter recipient; calendar: schedule meeting appointment event
tomorrow remind; reminder: remind remember forget alarm todo; file: document pdf folder txt csv
docx spreadsheet; markdown: md; word: docx; excel: xlsx xls csv spreadsheet; powerpoint: pptx ppt;
image: png jpg jpeg gif svg webp; audio: mp3 wav ogg podcast; video: mp4 avi mov; python: py;
text: txt; document: pdf docx word report contract paper letter; presentation: slide powerpoint
deck ppt; database: sql query table row schema postgres mysql sqlite; research: paper study
scientific science academic journal scholar literature publication arxiv citation thesis;
academic: paper research journal scholar thesis citation; data: dataset statistics csv analytics
spreadsheet; chart: graph plot pie bar histogram visualize; government: election congress senate
president parliament policy vote politics political; charity: donate donation nonprofit volunteer;
fashion: clothes dress outfit shoe style wear; beauty: makeup skincare cosmetics hair; child: kid
baby toddler parent parenting; speech: voice speak pronunciation accent audio; website: page site
web blog domain; security: vulnerability malware virus attack phishing breach hack encryption;
network: ip ping dns latency port router
`
