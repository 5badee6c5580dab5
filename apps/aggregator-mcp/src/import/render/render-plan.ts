import type { Surroundings } from '../entry/entry-context.ts'
import type { Plan, PlannedPlace, PlannedServer, PlanOptions } from '../plan/plan.ts'
import { shortPath } from './short-path.ts'
import { showLaunch } from './show-launch.ts'

/** A plan in words, for who has to agree to it. Names of values are said, values never. */
export function renderPlan(plan: Plan, options: PlanOptions, around: Surroundings): string {
  const short = (path: string): string => shortPath(path, around.home)
  const moving = plan.places.filter(({ isWaiting }) => !isWaiting)
  const sections = [
    ...moving.map((place) => renderPlace(place, options, short)),
    renderWaiting(plan.places, short),
    renderRefused(plan, short),
    renderOwn(plan, moving, short),
    renderNeeds(plan, moving, around),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

type Short = (path: string) => string

const titleOf = ({ found: { client, place } }: PlannedPlace): string =>
  place.product ?? client.title

function renderPlace(place: PlannedPlace, { copy }: PlanOptions, short: Short): string[] {
  const { found, servers, left, remarks, own } = place
  const isDone =
    servers.length === 0 && own?.change === 'kept' && left.every(({ name }) => name === own.name)
  if (isDone || servers.length + left.length === 0) return []
  const way =
    found.place.folder !== undefined && found.place.at.length > 1
      ? `, for ${short(found.place.folder)}`
      : ''
  const link = found.path === found.place.file ? '' : ` -> ${short(found.path)}`
  return [
    `${titleOf(place)}: ${short(found.place.file)}${link}${way}`,
    ...servers.flatMap((server) => renderServer(server, copy)),
    ...left.map(({ name, why }) => `  stays  ${plain(name)}: ${plain(why)}`),
    ...(own === undefined ? [] : [`  entry  ${plain(own.name)}, ${own.change}`]),
    ...(copy ? [] : remarks.map((remark) => `  note   ${plain(remark)}`)),
  ]
}

const fates = {
  new: '',
  there: ', which is in our file already',
  same: ', the same as one above',
} as const

function renderServer({ from, name, entry, notes, fate }: PlannedServer, copy: boolean): string[] {
  const renamed = from === name ? '' : ` as ${plain(name)}`
  return [
    `  ${copy ? 'copy ' : 'move '}  ${plain(from)}${renamed}${fates[fate]}: ${plain(showLaunch(entry))}`,
    ...notes.map((note) => `         ${plain(note)}`),
  ]
}

function renderWaiting(places: readonly PlannedPlace[], short: Short): string[] {
  const waiting = places.filter(({ isWaiting, servers }) => isWaiting && servers.length > 0)
  if (waiting.length === 0) return []
  return [
    'Of this folder only, and left there; --project takes them too:',
    ...waiting.map(
      (place) =>
        `  ${titleOf(place)}: ${short(place.found.place.file)}: ${place.servers.map(({ from }) => plain(from)).join(', ')}`,
    ),
  ]
}

function renderRefused({ refused }: Plan, short: Short): string[] {
  if (refused.length === 0) return []
  return [
    'Left as they are:',
    ...refused.map(({ client, file, why }) => `  ${client.title}: ${short(file)}: ${plain(why)}`),
  ]
}

function renderOwn(plan: Plan, moving: readonly PlannedPlace[], short: Short): string[] {
  const servers = moving.flatMap(({ servers }) => servers)
  const count = (fate: PlannedServer['fate']): number =>
    servers.filter((server) => server.fate === fate).length
  const edit = plan.edits.find(({ path }) => path === plan.config)
  const words =
    edit === undefined ? 'stays as it is' : edit.before === undefined ? 'is made' : 'grows'
  const told = [
    count('new') === 1 ? '1 server comes in' : `${count('new')} servers come in`,
    ...(count('same') > 0 ? [`${count('same')} are the same as another`] : []),
    ...(count('there') > 0 ? [`${count('there')} are there already`] : []),
  ]
  return [`Our file ${short(plan.config)} ${words}: ${told.join(', ')}.`]
}

function renderNeeds(
  plan: Plan,
  moving: readonly PlannedPlace[],
  { variables: set }: Surroundings,
): string[] {
  const { variables } = plan.needs
  const all = moving.flatMap(({ servers }) => servers)
  const signedIn = all.filter(
    ({ entry }) =>
      entry['command'] === undefined &&
      !Object.keys((entry['headers'] ?? {}) as object).some((name) =>
        /^authorization$/i.test(name),
      ),
  )
  const unset = variables.filter((name) => !set[name])
  const unsure = new Set(
    moving
      .filter(({ own, found }) => own && !found.client.handsOnVariables)
      .map(({ found }) => found.client.title),
  )
  return [
    ...(variables.length > 0 ? [`Variables that servers name: ${variables.join(', ')}.`] : []),
    ...(unset.length > 0 ? [`Not set here: ${unset.join(', ')}.`] : []),
    ...(variables.length > 0 && unsure.size > 0
      ? [
          `They have to be in the environment of ${[...unsure].join(', ')} too: the aggregator has what its client hands on.`,
        ]
      : []),
    ...(signedIn.length > 0
      ? [
          `Sign-ins do not move; where one is needed, sign in anew: ${[...new Set(signedIn.map(({ name }) => plain(name)))].join(', ')}.`,
        ]
      : []),
  ]
}

/** Names are foreign text; a terminal must not obey them. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, '?')
