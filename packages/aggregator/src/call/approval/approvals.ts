import { randomBytes } from 'node:crypto'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { groupBy } from '#servers/protocol/group-by'
import type { Approval, Grant } from './approval.ts'
import type { ApprovalStore } from './approval-store.ts'

/** Requests that wait, of all callers and of one; for another one the oldest gives way. */
const maxWaiting = 500
const maxWaitingOfOne = 50
/** Approvals that are kept, or valid for a session. */
const maxGranted = 2_000

/** The calls that wait, and the approvals that are valid. */
export type Approvals = ReturnType<typeof createApprovals>

/** What a request says of the call, besides the answer to it. */
export type Question = Omit<Approval, 'id' | 'state' | 'askedAt' | 'endsAt'>

/** Calls that wait for a person, and the approvals that were given. */
export function createApprovals(store: ApprovalStore, now: () => number = Date.now) {
  const isValid = ({ endsAt }: Approval): boolean => endsAt === undefined || now() < endsAt
  const valid = (entry: Approval | undefined) => (entry && isValid(entry) ? entry : undefined)
  const read = async (key: string) => valid(await store.change(key, (entry) => entry))

  // Each counts those before it.
  const inTurn = createTurns()

  async function put(question: Question, state: 'waiting' | Grant, by?: string): Promise<Approval> {
    await makeRoom(question, state, { store, isValid })
    const askedAt = now()
    const entry: Approval = {
      ...question,
      key: state === 'session' ? inSession(question) : question.key,
      id: randomBytes(6).toString('hex'),
      state,
      askedAt,
      ...(state !== 'kept' && { endsAt: askedAt + question.validMs }),
      ...(by !== undefined && { answeredBy: by, answeredAt: askedAt }),
    }
    // Of two requests for the same call, the first one stays.
    const stays = (current: Approval | undefined) => state === 'waiting' && valid(current)
    return (await store.change(entry.key, (current) => stays(current) || entry)) ?? entry
  }

  async function withId(id: string): Promise<Approval> {
    const entry = (await store.all()).find((candidate) => candidate.id === id)
    if (entry === undefined || !isValid(entry)) throw unknownApproval(id)
    return entry
  }

  return {
    /** What was answered for this call, or waits for an answer. */
    find: async ({ key, session }: Pick<Question, 'key' | 'session'>) =>
      (await read(inSession({ key, session }))) ?? (await read(key)),
    /** Waits for a person from now on, or already. */
    request: (question: Question) => inTurn(() => put(question, 'waiting')),
    /** Approved where it was called. @throws {AggregatorError} `too_many` */
    grant: (question: Question, grant: Exclude<Grant, 'once'>, by: string) =>
      inTurn(() => put(question, grant, by)),
    /** Uses up an approval for one call. False if it was used, revoked or has ended meanwhile. */
    async take({ key, id }: Approval): Promise<boolean> {
      let isTaken = false
      await store.change(key, (current) => {
        const entry = valid(current)
        if (entry?.id !== id) return current
        isTaken = ['once', 'session', 'kept'].includes(entry.state)
        return entry.state === 'once' ? undefined : current
      })
      return isTaken
    },
    /** All that wait, were refused, or are approved now. */
    list: async () => (await store.all()).filter(isValid),
    withId,
    /**
     * Answers a request. @throws {AggregatorError} `unknown_approval`, or if it was answered before
     */
    async answer(id: string, answer: Grant | 'refused', by: string): Promise<Approval> {
      const request = await withId(id)
      if (request.needsAnother && answer !== 'refused' && isSamePerson(by, request.caller))
        throw isOwn(id, request.setting)
      const answered = answeredWith(request, { state: answer, answeredBy: by, answeredAt: now() })
      await store.change(request.key, (current) => {
        if (current?.id !== id || current.state !== 'waiting') throw unknownApproval(id)
        return answer === 'session' ? undefined : answered
      })
      if (answer !== 'session') return answered
      const key = inSession(request)
      return (await store.change(key, () => ({ ...answered, key }))) ?? answered
    },
    /** Ends an approval or a refusal. @throws {AggregatorError} `unknown_approval` */
    async revoke(id: string): Promise<Approval> {
      const entry = await withId(id)
      await store.change(entry.key, (current) => (current?.id === id ? undefined : current))
      return entry
    },
  }
}

/** Runs one work after the other. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

const answeredWith = (
  request: Approval,
  answer: Pick<Approval, 'state' | 'answeredBy'> & { answeredAt: number },
): Approval => ({
  ...request,
  ...answer,
  endsAt: answer.state === 'kept' ? undefined : answer.answeredAt + request.validMs,
})

/**
 * Drops what has ended, and the oldest request of the caller that has as many as it may; of all
 * callers together, of the one with the most. @throws {AggregatorError} `too_many`
 */
async function makeRoom(
  { key: requestedKey, caller }: Question,
  state: Approval['state'],
  { store, isValid }: { store: ApprovalStore; isValid: (entry: Approval) => boolean },
): Promise<void> {
  const all = await store.all()
  for (const { key } of all.filter((entry) => !isValid(entry)))
    await store.change(key, (entry) => (entry && isValid(entry) ? entry : undefined))
  const rest = all.filter(isValid)
  const requests = rest.filter((entry) => entry.state === 'waiting')
  if (state === 'waiting' && requests.some(({ key }) => key === requestedKey)) return
  const ofCaller = requests.filter((entry) => entry.caller === caller)
  if (state !== 'waiting' && rest.length - requests.length >= maxGranted)
    throw tooMany(`${maxGranted} approvals are kept already`, 'Revoke some of them.')
  if (state !== 'waiting') return
  const byCaller = groupBy(requests, (entry) => entry.caller ?? '')
  const largest = [...byCaller.values()].sort((a, b) => b.length - a.length)[0]
  const full =
    ofCaller.length >= maxWaitingOfOne ? ofCaller : requests.length >= maxWaiting ? largest : []
  const oldest = full?.toSorted((a, b) => a.askedAt - b.askedAt)[0]
  if (oldest === undefined) return
  await store.change(oldest.key, (entry) => (entry?.id === oldest.id ? undefined : entry))
}

/** Approvals for a session are valid in addition to those of other sessions. */
const inSession = ({ key, session }: Pick<Question, 'key' | 'session'>): string =>
  `${key}.${session}`

/** Callers are `NAME` or `KIND:NAME#ID`; a person may have several tokens. */
function isSamePerson(a: string, b: string | undefined): boolean {
  const [, nameA, idA] = partsOf(a)
  const [, nameB, idB] = partsOf(b ?? '')
  return nameA === nameB || (idA !== undefined && idA === idB)
}

const partsOf = (caller: string) =>
  /^(?:[a-z]+:)?([^#]*)(?:#(.*))?$/s.exec(caller.toLowerCase()) ?? []

const isOwn = (id: string, setting: string): AggregatorError =>
  new AggregatorError(
    'approval_refused',
    `${id} was requested by the one who approves it, and ${setting} demands another person.`,
    'Another person must sign in and approve it.',
  )

const tooMany = (problem: string, remedy: string): AggregatorError =>
  new AggregatorError('too_many', `${problem}. Nothing was called.`, remedy)

const unknownApproval = (id: string): AggregatorError =>
  new AggregatorError(
    'unknown_approval',
    `No call ${id} waits for approval, or is approved.`,
    'It was answered or revoked meanwhile, or its time is over.',
  )
