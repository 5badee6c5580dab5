import { type Combination, type Era, eraOf } from './combinations.ts'
import { openAggregator, startSpy } from './processes.ts'
import { type CallOptions, speak } from './speakers.ts'
import type { SpyLog } from './spy-log.ts'
import { newUser, type User } from './user.ts'
import type { Bag, Message, Wire } from './wire.ts'

interface LinkCallOptions {
  signal?: AbortSignal
  meta?: Bag
  /** Asks for progress, and takes what was told of it until the answer came. */
  progress?: Bag[]
}

/** A client joined to the spy, however many programs lie between. */
export interface Link {
  at: Combination
  /** Of the client. */
  era: Era
  spy: SpyLog
  user: User
  wire: Wire
  /** A tool of the spy by the spy's name for it; the result as it was on the client's wire. */
  callTool(name: string, args?: Bag, options?: LinkCallOptions): Promise<Bag>
  request(method: string, params?: Bag): Promise<Bag>
  /** Every item of a list, as it was on the client's wire. */
  list(method: string, key: string): Promise<Bag[]>
  notifyRootsChanged(): Promise<void>
  watch(uri: string): Promise<() => Promise<unknown>>
  promptName(name: string): string
  close(): Promise<void>
}

const marker = 'fidelity.example/call'

type Stops = (() => Promise<void>)[]

export async function openLink(at: Combination): Promise<Link> {
  const stops: Stops = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    return { ...(await join(at, stops)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function join(at: Combination, stops: Stops): Promise<Omit<Link, 'close'>> {
  const spy = await startSpy(at.upstream)
  stops.push(spy.stop)
  let { endpoint } = spy
  if (at.way !== 'direct') {
    const aggregator = await openAggregator(endpoint, at.way === 'call' ? 'meta' : 'full', at)
    stops.push(aggregator.stop)
    endpoint = aggregator.endpoint
  }
  const user = newUser()
  const speaker = await speak(at.client, endpoint, user)
  stops.push(speaker.close)
  const { wire } = speaker
  const names = new Map<string, string>()
  let calls = 0

  const requestOf = (mark: string): Message | undefined =>
    wire.sent.findLast(({ params }) => params?._meta?.[marker] === mark)

  const answerTo = (mark: string): Message | undefined => {
    const requested = requestOf(mark)
    return wire.received.findLast(({ id, method }) => method === undefined && id === requested?.id)
  }

  /** The SDKs' clients drop what comes right before the answer. */
  function progressOf(mark: string): Bag[] {
    const token = requestOf(mark)?.params?._meta?.['progressToken']
    return wire.received.flatMap(({ method, params }) => {
      const { progressToken, ...told } = params ?? {}
      return method === 'notifications/progress' && progressToken === token ? [told] : []
    })
  }

  /** What the wire said, so that no SDK's reading of it is taken for it. */
  async function onWire(
    ask: (mark: Bag) => Promise<unknown>,
    told: Bag[] | undefined = undefined,
  ): Promise<Bag> {
    const mark = `call ${++calls}`
    try {
      await ask({ [marker]: mark })
    } catch (thrown) {
      const error = answerTo(mark)?.error
      throw error ? Object.assign(new Error(error.message), { error }) : thrown
    }
    told?.push(...progressOf(mark))
    return answerTo(mark)?.result ?? {}
  }

  const request = (method: string, params: Bag = {}) =>
    onWire((mark) =>
      speaker.request(method, { ...params, _meta: { ...(params['_meta'] as Bag), ...mark } }),
    )

  async function list(method: string, key: string) {
    const items: Bag[] = []
    let cursor: unknown
    do {
      const page = await request(method, cursor === undefined ? {} : { cursor })
      items.push(...(page[key] as Bag[]))
      cursor = page['nextCursor']
    } while (cursor !== undefined)
    return items
  }

  /** Names are made safe on the way; titles stay. */
  async function exposed(name: string): Promise<string> {
    if (at.way !== 'full') return name
    const titled = (tools: Bag[]) =>
      tools.find((tool) => tool['title'] === `Spy: ${name}`)?.['name']
    const known = names.get(name) ?? titled(await list('tools/list', 'tools'))
    if (typeof known !== 'string') throw new Error(`no tool is listed with the title of ${name}`)
    names.set(name, known)
    return known
  }
  return {
    at,
    era: eraOf(at.client),
    spy: spy.log,
    user,
    wire,
    async callTool(name, args = {}, { meta, signal, progress } = {}) {
      const given =
        at.way === 'call'
          ? { name: 'call', arguments: { module: 'spy', tool_name: name, params: args } }
          : { name: await exposed(name), arguments: args }
      const options: CallOptions = {
        ...(signal && { signal }),
        ...(progress && { onprogress() {} }),
      }
      return onWire(
        (mark) => speaker.callTool({ ...given, _meta: { ...meta, ...mark } }, options),
        progress,
      )
    },
    request,
    list,
    notifyRootsChanged: () => speaker.notifyRootsChanged(),
    watch: (uri) => speaker.watch(uri),
    promptName: (name) => (at.way === 'direct' ? name : `spy__${name}`),
  }
}
