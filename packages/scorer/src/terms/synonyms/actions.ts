/** Actions: words with the same meaning, groups separated by semicolons. */
export const actions = `
access permission permit allow authorize; add append insert attach; summarize summary digest
aggregate; notify notification alert reminder; answer reply respond response; apply submit;
approve accept confirm; archive zip compress; begin start launch run execute invoke trigger; book
reserve reservation booking; build compile; buy purchase order; calculate compute evaluate
arithmetic math sum; cancel abort stop terminate kill end; change modify edit update alter adjust
revise patch; check verify validate test inspect examine; choose select pick; clean clear purge
wipe reset; close shut finish complete resolve; combine merge join concatenate; compare diff
difference; connect link; convert transform translate change; copy duplicate clone; create add
make new generate build compose write produce; decrease reduce lower; delete remove erase drop
discard uninstall destroy; deploy publish release; detect identify recognize; discover find search
lookup query look locate seek; display show view print present; download fetch retrieve pull;
estimate predict forecast; explain describe description; export save; extract parse scrape;
favorite bookmark star like; filter narrow; fix repair correct solve; get fetch retrieve read show
view obtain load; import upload load; increase raise; install setup; invite add; list show
enumerate all get; login signin authenticate authentication; monitor watch track observe; move
transfer relocate rename; open launch; pause suspend; play stream; rank top best leaderboard
popular trending; receive get; recommend suggest recommendation suggestion; register signup
enroll; remember recall memory; replace substitute; restart reboot; save store write persist keep;
scan check; screenshot capture snapshot; send post publish deliver transmit; set configure assign
update; share send; shorten short; sort order arrange; teach tutorial lesson course; trade
transaction; translate translation language; undo revert rollback; unlock open; upload send; visit
attraction sightseeing; wait sleep delay; yield return
`
