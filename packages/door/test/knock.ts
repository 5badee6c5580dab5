import {
  type Admission,
  createAdmission,
  type DoorOptions,
  openDoor,
  type Refusal,
  type Route,
  readBody,
} from '../src/index.ts'

const owner = 'token-of-owner'
export const asOwner = { authorization: `Bearer ${owner}` }
export const asCi = { authorization: 'Bearer token-of-ci' }

/** Says who came in. */
export const route = (path: string, more: Partial<Route> = {}): Route => ({
  name: path.slice(1),
  matches: (asked) => asked === path,
  scope: 'mcp',
  replies: 'own',
  handle: (_request, response, { kind, name }) => void response.end(`${kind} ${name}`),
  ...more,
})

export const reading: Route = route('/body', {
  async handle(request, response) {
    const body = await readBody(request, { bytes: 1_000, ms: 300 })
    response.end(String(body.length))
  },
})

/** A door with an owner and a caller, and what it refused. */
export async function openTestDoor(
  routes: readonly Route[],
  options: Partial<DoorOptions> = {},
  admission: Admission = createAdmission({
    owner,
    callers: () => callers,
  }),
) {
  const refused: Refusal[] = []
  const door = await openDoor({
    address: '127.0.0.1:0',
    admission,
    routes,
    onRefused: (refusal) => refused.push(refusal),
    ...options,
  })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(door.url + path, init)
  return { ...door, refused, ask, reasons: () => refused.map(({ reason }) => reason) }
}

const callers = { ci: { token: 'token-of-ci', profile: 'docs' } }
