import * as calls from './lines/during-a-call.ts'
import * as lists from './lines/lists.ts'
import * as tools from './lines/tools.ts'
import { type Combination, eraOf } from './rig/combinations.ts'
import type { Link } from './rig/link.ts'

/** What a server says or asks has to arrive as if nothing stood between it and the client. */
export const lines = {
  'tools are listed as the server describes them': tools.definitionsAreVerbatim,
  'listed names are ones that every client takes': tools.namesAreSafe,
  'a result arrives verbatim': tools.richResultIsVerbatim,
  'a big result arrives whole': tools.bigResultIsWhole,
  'a failed tool stays a failed tool': tools.toolErrorIsKept,
  'an error keeps its code, message and data': tools.protocolErrorIsKept,
  'an unknown tool is an error': tools.unknownToolIsAnError,
  'the _meta of a request arrives': tools.requestMetaArrives,
  'a tool with a dotted or a long name can be called': tools.oddNamesAreCallable,
  'a parameter that goes into a header arrives': tools.headerParameterArrives,
  'progress arrives with total and message': calls.progressArrives,
  'progress nobody asked for does not arrive': calls.noProgressUnasked,
  'a cancelled call is cancelled at the server': calls.cancellationArrives,
  'log messages arrive from the asked level up': calls.logIsFiltered,
  'log messages nobody asked for do not arrive': calls.noLogUnasked,
  'the model is asked and its answer arrives': calls.samplingArrives,
  'a form is asked and its answer arrives': calls.formIsAsked,
  'an address is shown and the consent arrives': calls.urlIsShown,
  'roots are asked and arrive': calls.rootsAreListed,
  'two questions in a row are both answered': calls.twoQuestionsInARow,
  'three questions at once are all answered': calls.threeQuestionsAtOnce,
  'a prompt may ask, too': calls.promptMayAsk,
  'changed roots are told to the server': calls.changedRootsAreTold,
  'prompts are listed and got': lists.promptsAreListedAndGot,
  'resources and templates are listed and read': lists.resourcesAreListedAndRead,
  'a missing resource is told as such': lists.missingResourceIsTold,
  'lists of several pages arrive whole': lists.pagedListsAreWhole,
  'arguments of prompts and templates are completed': lists.completionIsAsked,
  'a subscriber hears of updates until it unsubscribes': lists.subscriberHearsOfUpdates,
  'an added tool is heard of and listed': lists.addedToolIsHeardOf,
  'an added tool can be called': lists.addedToolIsCallable,
  'changed prompts are heard of and listed': lists.changedPromptsAreHeardOf,
  'changed resources are heard of and listed': lists.changedResourcesAreHeardOf,
  'calls at the same time never cross': tools.callsNeverCross,
  'the server behind never poses as the server': tools.spyNeverPosesAsTheServer,
  'a crash is told and survived': tools.crashIsSurvived,
} satisfies Record<string, (link: Link) => Promise<void>>

const anyModern = (at: Combination) => eraOf(at.client) === 'modern' || at.upstream.era === 'modern'
const isDirect = ({ way }: Combination) => way === 'direct'
const isMeta = ({ way }: Combination) => way === 'call'

const fixedList = 'the list holds the fixed meta-tools, by which the rest is found'

interface Exception {
  line: keyof typeof lines
  at: (at: Combination) => boolean
  why: string
}

/** Where a line cannot hold, and why; the test says so in its name. */
export const exceptions: Exception[] = [
  {
    line: 'changed roots are told to the server',
    at: anyModern,
    why: '2026-07-28 has no such notification, a server asks anew at each call',
  },
  {
    line: 'log messages nobody asked for do not arrive',
    at: ({ client }) => eraOf(client) === 'legacy',
    why: 'until a level is set, a server of 2025 may send what it likes',
  },
  {
    line: 'listed names are ones that every client takes',
    at: isDirect,
    why: "the spy's own names are odd on purpose",
  },
  {
    line: 'the server behind never poses as the server',
    at: isDirect,
    why: 'the spy is the server',
  },
  {
    line: 'an unknown tool is an error',
    at: ({ way }) => way === 'full',
    why: 'the rig finds names by the listing, where there is none',
  },
  {
    line: 'a crash is told and survived',
    at: (at) => isDirect(at) && !(at.upstream.era === 'modern' && at.upstream.transport === 'http'),
    why: "no SDK's client starts a process or a session again by itself",
  },
  {
    line: 'a big result arrives whole',
    at: isMeta,
    why: 'it comes in pages there; test/running/long-results.test.ts adds them up',
  },
  {
    line: 'tools are listed as the server describes them',
    at: isMeta,
    why: fixedList,
  },
  {
    line: 'an added tool is heard of and listed',
    at: isMeta,
    why: fixedList,
  },
]
