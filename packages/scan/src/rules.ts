/**
 * Meanings that two others have together: the first, and after it the second within so many words.
 */
export const phrases: Readonly<Record<string, readonly string[]>> = {
  untold: ['not > tell / 3', 'tell > notAfter / 9'],
  notNotified: ['not > notify / 3', 'notify > notAfter / 9'],
  unknown: ['not > know / 3', 'know > notAfter / 6'],
  unused: ['not > use / 3', 'use > notAfter / 6'],
  unfollowed: ['not > follow / 3', 'follow > notAfter / 6'],
  auto: ['all > ask / 2'],
  otherTool: ['all > tool / 2', 'tool > all / 1', 'tool > otherAfter / 3'],
  wholeChat: ['all > chat / 4', 'chat > whole / 4'],
  spoken: ['message > user / 4', 'user > message / 3'],
}

/**
 * What a definition asks for, by the finding that is shown as the reason: meanings that are found
 * within so many words of each other, in any order, and none after `!` next to them.
 */
export const rules: Readonly<Record<string, readonly string[]>> = {
  'asks to disregard instructions': [
    'drop rules prior / 8',
    'drop rules all / 6',
    'drop told / 7',
    'unfollowed rules prior|told / 8',
    'void rules prior / 8',
    'void told / 9',
    'void limit ai|mode|serve / 8',
    'not|void|notAfter|user limit serve / 9',
    'mode ai|only|void|serve|limit / 9',
    'precede rules prior / 8',
    'precede told|serve / 8',
    'serve only rules|told / 9',
    'here only|precede told|rules / 12',
    'here drop|void|serve prior|all|only you / 12',
  ],
  'asks to keep something from the user': [
    'untold user|reply / 8',
    'notNotified user use|tool|read|send|put|secret|chat / 12',
    'unknown user / 6',
    'conceal from / 5',
    'conceal reply / 6',
    'quiet put|send|read|alter use|tool|secret|chat|file / 6',
  ],
  'asks to call other tools first or instead': [
    'use first|ahead otherTool must|when !own / 9',
    'use first|ahead turn must|anything|all !own / 10',
    'front must / 4',
    'front use tool / 7',
    'first|ahead use anything must|when|you / 7',
    'use front all / 8',
    'void otherTool|builtin / 6',
    'instead use otherTool|builtin / 9',
    'unused otherTool|builtin !own / 6',
    'drop otherTool|builtin only / 7',
    'only use tool void / 12',
  ],
  'names files with credentials': [
    'keyfile read put|send|argument / 10',
    'keyfile put|send argument|must|user|place|file / 10',
    'keyfile content / 3',
    'keypath put|send|content|must|argument|run|first / 12',
    'keypath read you|put|when|turn|must / 12',
    'keyfile user read|put|send / 8',
    'secret read file put / 10',
  ],
  'asks to send something elsewhere': [
    'send chat place / 12',
    'send secret place / 10',
    'put|send wholeChat place|argument|prior|must|user / 10',
    'put|send chat|spoken argument / 8',
    'put|send spoken place / 9',
    'wholeChat prior user / 12',
    'put result otherTool / 14',
  ],
  'asks to use other tools differently': [
    'when|must act alter place / 14',
    'alter argument otherTool / 9',
    'alter argument when act / 12',
    'act tool argument must / 8',
    'when act alter must / 12',
    'act alter otherTool / 10',
    'when act alter use|tool / 10',
    'otherTool must argument !own / 8',
    'otherTool must put|alter place|argument|act / 10',
    'otherTool when put|alter place|argument|act !own / 10',
    'when use tool alter argument / 10',
    'bcc when|must place|act|put / 12',
  ],
  'asks to run a command or to approve something': [
    'run shell first / 10',
    'approve ask auto / 5',
    'off guard setting|tool|auto / 9',
    'off ask setting|auto / 6',
  ],
  'addresses the model': [
    'note ai / 3',
    'drop|void|precede prior|told serve|mode limit|rules authority|conceal|quiet / 16 / 4',
    'drop|void|unfollowed rules|limit prior told serve|mode ai only precede follow conceal|quiet|untold user|reply you authority here / 17 / 5',
  ],
}
