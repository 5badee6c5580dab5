import { termsOf } from './terms-of.ts'

/**
 * Words that people and programs use for the same, a group a line. Written for tools and manuals:
 * verbs of what is done, nouns of what it is done to.
 */
const groups = `
access permission permit allow authorize
add append insert attach
association relation relationship connection edge link
entity node object item
fact observation statement
tree hierarchy nested structure
memory knowledge remember recall
metadata info information detail property attribute
paragraph section passage
aggregate summarize summary digest
alarm alert notification notify reminder
album playlist
answer reply respond response
apply submit
approve accept confirm
archive zip compress
article post blog story
audio sound voice speech
begin start launch run execute invoke trigger
bill invoice
book reserve reservation booking
branch fork
bug issue ticket
build compile
buy purchase order
calculate compute evaluate arithmetic math sum
calendar schedule agenda event appointment meeting
car vehicle automobile
cancel abort stop terminate kill end
category genre kind
change modify edit update alter adjust revise patch
chart graph plot diagram visualize visualization draw
chat conversation dialogue
check verify validate test inspect examine
choose select pick
city town
clean clear purge wipe reset
close shut finish complete resolve
code source program
column field attribute property
combine merge join concatenate
comment remark note annotation feedback review
commit revision
company business corporation organization firm
compare diff difference
connect link
contact person people member
convert transform translate change
copy duplicate clone
country nation
create add make new generate build compose write produce
currency money exchange
customer client
data dataset information
database db sql
decrease reduce lower
delete remove erase drop discard uninstall destroy
dependency package library module
deploy publish release
detect identify recognize
dictionary definition meaning define
directory folder
discover find search lookup query look locate seek
display show view print present
distance far
document doc file
download fetch retrieve pull
email mail message
employee staff worker
error exception failure fault problem
estimate predict forecast
expense cost spending
explain describe description
export save
extract parse scrape
favorite bookmark star like
film movie
filter narrow
flight airline airplane plane
fix repair correct solve
food meal dish recipe cuisine
football soccer
game match
get fetch retrieve read show view obtain load
group team
health medical
history log past
home house property
hotel accommodation lodging
image picture photo photograph
import upload load
increase raise
install setup
invite add
job task work career
key secret credential token password
keyword term
language locale
laptop computer notebook
lawyer attorney
list show enumerate all get
location place address position coordinates
login signin authenticate authentication
lyrics song
map navigation route directions
maximum max highest largest
measure metric statistic statistics stats analytics
merge combine
minimum min lowest smallest
monitor watch track observe
move transfer relocate rename
music song track
name title
near nearby closest around
news headline headlines
notebook note memo
number count quantity amount
open launch
page site website webpage
pause suspend
pay payment charge
phone telephone mobile call
play stream
poem poetry
pr pull
price cost quote rate
product item goods
profile account user
question quiz trivia
random
rank top best leaderboard popular trending
rating score review
receive get
recommend suggest recommendation suggestion
record entry row
register signup enroll
rename move
replace substitute
repo repository project
report document
restart reboot
result outcome output
road street traffic
save store write persist keep
scan check
screenshot capture snapshot
send post publish deliver transmit
set configure assign update
setting configuration config option preference
share send
shop store shopping
ship deliver delivery shipment shipping
shorten short
size length dimension
sort order arrange
sport athletics
stock share equity ticker
student learner pupil
summarize summary
system machine host server
table spreadsheet sheet
tag label
teach tutorial lesson course
temperature weather climate forecast
text string content
time hour clock timezone
trade transaction
train railway
translate translation language
travel trip tour vacation holiday
trend trending
undo revert rollback
unlock open
upload send
url link address website
user account member
vacation leave
video clip film
visit attraction sightseeing
wait sleep delay
wallet balance
webpage website site web browser
word vocabulary
write create
yield return
bank banking
birthday anniversary
brand manufacturer maker
bus transit transport transportation
child kid kids children
class course subject
cloud server hosting
command shell terminal script
congestion jam traffic
cook cooking recipe
crypto cryptocurrency bitcoin token coin
disease illness condition symptom
doctor physician hospital clinic
drug medicine medication
earn earning income revenue profit salary wage
fast quick speed rapid
fight battle war
friend follower following contact
holiday vacation
insight analysis analyze
investment portfolio fund
law legal regulation
line row
member participant attendee
meet meeting conference call
nutrition calorie diet
occur happen
owner holder
parcel package shipment
party event celebration
password passphrase
plan itinerary schedule
plant flower
region area zone
remind reminder
screen display
sale sell deal discount coupon promotion
seat ticket
sensor device
space disk storage
statement bill invoice
tax duty
teacher instructor professor
theme topic subject
thread conversation discussion
tweet post status
university college school
vulnerability security risk
weight mass
zip archive
`

const bySame = new Map<string, Set<string>>()
for (const line of groups.trim().split('\n')) {
  const words = termsOf(line)
  for (const word of words) {
    const same = bySame.get(word) ?? new Set()
    for (const other of words) if (other !== word) same.add(other)
    bySame.set(word, same)
  }
}

const none: ReadonlySet<string> = new Set()

/** Terms that may be meant by this one; not itself. */
export const synonymsOf = (term: string): ReadonlySet<string> => bySame.get(term) ?? none
