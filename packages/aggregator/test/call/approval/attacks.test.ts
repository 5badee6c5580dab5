import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../base/test/temporary-folder.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import type { Access, Mode } from '../../../../servers/src/protocol/request-context.ts'
import { createSeal } from '../../../../servers/src/secrets/seal.ts'
import { approvalForm } from '../../../src/call/approval/approval-form.ts'
import { createFileApprovalStore } from '../../../src/call/approval/approval-store.ts'
import { createApprovals } from '../../../src/call/approval/approvals.ts'
import { configOf, textOf } from '../../fake-servers.ts'
import { sealBeside } from '../../seal-beside.ts'
import { ada, askWrite, openAttacked, writing } from './attacked.ts'

const approved = { path: '/a', size: 1 }

interface Row {
  tool?: string
  args: unknown
  access?: Access
  /** Beside `name` and `arguments`. */
  more?: JsonObject
}

const byName = (args: unknown, mode: Mode, more: JsonObject = {}): Row => ({
  tool: 'files__write',
  args,
  access: { caller: 'ada', mode },
  more,
})
const as = (access: Access): Row => ({ args: writing(approved), access })
const lines = (...commands: JsonObject[]): Row => ({
  tool: 'batch',
  args: { commands: commands.map((line) => JSON.stringify(line)).join('\n') },
})

/** Calls that an approval of `approved` for ada must not let pass. */
const others: Record<string, Row> = {
  'another value': { args: writing({ path: '/b', size: 1 }) },
  'another number': { args: writing({ path: '/a', size: 2 }) },
  'a member more': { args: writing({ ...approved, force: null }) },
  'a member less': { args: writing({ path: '/a' }) },
  'a key in another case': { args: writing({ path: '/a', Size: 1 }) },
  'a letter that looks alike': { args: writing({ path: '/а', size: 1 }) },
  'an invisible letter': { args: writing({ path: '/a\u200b', size: 1 }) },
  'a trailing blank': { args: writing({ path: '/a ', size: 1 }) },
  'a list for a text': { args: writing({ path: ['/a'], size: 1 }) },
  'a prototype': { args: writing(JSON.parse('{"path":"/a","size":1,"__proto__":{"x":1}}')) },
  'another tool with the same arguments': { args: writing(approved, { tool_name: 'move' }) },
  'another server with the same tools': { args: writing(approved, { module: 'mail' }) },
  'another caller': as({ caller: 'bob' }),
  'a caller in another case': as({ caller: 'Ada' }),
  'a token of the same name': as({ caller: 'token:ada#1', isGuest: true }),
  'no name': as({}),
  'another profile': as({ caller: 'ada', profile: 'all' }),
  'the console': as({ caller: 'owner', isGuest: true, mode: 'meta' }),
  'a text for a number, in mode full': byName({ path: '/a', size: '1' }, 'full'),
  'a list for the arguments, in mode full': byName([approved], 'full'),
  'another value, in mode list': byName({ path: '/b', size: 1 }, 'list'),
  call_read_only: { tool: 'call_read_only', args: writing(approved) },
  'a reference that becomes another value': lines(
    { id: 'r', module: 'files', tool_name: 'read', params: {} },
    { id: 'w', ...writing({ path: '${r.path}', size: 1 }) },
  ),
}

/** Other spellings of the same call. */
const same: Record<string, Row> = {
  'another order': { args: writing({ size: 1, path: '/a' }) },
  'a number as a text': { args: writing({ path: '/a', size: '1' }) },
  'a parameter in another case': { args: writing({ PATH: '/a', size: 1 }) },
  'a name with its module': { args: { tool_name: 'files.write', params: approved } },
  'a name in another case': { args: writing(approved, { module: 'Files', tool_name: 'WRITE' }) },
  'a line of a batch': lines({ id: 'w', output: true, ...writing(approved) }),
  'its own name, in mode list': byName(approved, 'list'),
  'its own name, in mode full': byName(approved, 'full'),
  'more beside the arguments': byName(approved, 'full', {
    task: { ttl: 1, hidden: 'x' },
    inputResponses: { ask1: { action: 'accept' } },
    requestState: 'x',
    hidden: 'x',
    _meta: { progressToken: 1, hidden: 'x' },
  }),
}

const openMany = () =>
  openAttacked(
    { ask: [{ tools: ['*.write', '*.move'] }] },
    {
      servers: [configOf('files'), configOf('mail')],
      profiles: { all: { servers: ['*'] } },
      readOnlyCall: true,
    },
  )

async function sendRow(
  { tool = 'call', args, access = ada, more = {} }: Row,
  { clientOf }: ReturnType<typeof openAttacked>,
): Promise<string> {
  const params = { name: tool, arguments: args, ...more }
  return clientOf(access)('tools/call', params).then(textOf, ({ message }) => String(message))
}

describe('an approval of one call', () => {
  test.each(Object.entries(others))('does not reach %s', async (_, row) => {
    const opened = openMany()
    await opened.write(approved)
    await opened.approve()
    await sendRow(row, opened)
    const changes = () => opened.arrivals().filter(({ name }) => name !== 'read')
    expect(changes()).toEqual([])
    expect(await opened.write(approved)).toMatch(/^did/)
    expect(changes()).toHaveLength(1)
  })

  test.each(Object.entries(same))('reaches %s, once', async (_, row) => {
    const opened = openMany()
    await opened.write(approved)
    await opened.approve()
    expect(await sendRow(row, opened)).toContain('did {')
    await sendRow(row, opened)
    const [sent, ...more] = opened.arrivals()
    expect(more).toEqual([])
    expect(sent).toMatchObject({ name: 'write', arguments: approved })
    expect(JSON.stringify(sent)).not.toMatch(/hidden|task|inputResponses|requestState/)
  })

  test('is for the account that was shown, named or not', async () => {
    const accounts = ['work', 'home'].map((account) => configOf('files', { account }))
    const { write, clientOf, approve, arrivals } = openAttacked(askWrite, {
      servers: [configOf('files', { accounts })],
    })
    await write(approved)
    await approve()
    const send = (account: string) =>
      clientOf()('tools/call', { name: 'call', arguments: writing(approved, { account }) })
    expect(textOf(await send('home'))).toContain('waits for approval')
    expect(arrivals()).toEqual([])
    expect(textOf(await send('work'))).toMatch(/^did/)
    expect(await write(approved)).toContain('waits for approval')
  })

  test('is used up by one of 1,000 that come at once', async () => {
    const { write, approve, arrivals } = openAttacked(askWrite)
    await write(approved)
    await approve()
    const replies = await Promise.all(Array.from({ length: 1_000 }, () => write(approved)))
    expect(replies.filter((reply) => reply.startsWith('did'))).toHaveLength(1)
    expect(arrivals()).toHaveLength(1)
  })

  test('is used up once by two processes that share a file', async () => {
    const path = fileIn()
    const stores = [
      createFileApprovalStore(path, sealBeside(path)),
      createFileApprovalStore(path, sealBeside(path)),
    ]
    const opened = stores.map((store) => openAttacked(askWrite, { store }))
    await opened[0]?.write(approved)
    await opened[1]?.approve()
    const calls = Array.from({ length: 200 }, (_, at) => opened[at % 2]?.write(approved))
    await Promise.all(calls)
    expect(opened.flatMap(({ arrivals }) => arrivals())).toHaveLength(1)
  })

  test('is answered once by those who answer at once', async () => {
    const { write, approvals, arrivals } = openAttacked(askWrite)
    await write(approved)
    const [{ id = '' } = {}] = await approvals.list()
    const outcomes = await Promise.allSettled([
      approvals.answer(id, 'refused', 'bob'),
      ...(['once', 'session', 'kept'] as const).map((grant) => approvals.answer(id, grant, 'eve')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    expect(await write(approved)).toContain('was refused by bob')
    await approvals.revoke(id)
    await expect(approvals.answer(id, 'once', 'eve')).rejects.toThrow('No call')
    expect(arrivals()).toEqual([])
  })

  test('ends with its time, also between the answer and the call', async () => {
    const { write, store, arrivals } = openAttacked(askWrite)
    await write(approved)
    const late = createApprovals(store, () => Date.now() + 3_600_001)
    expect(await late.list()).toEqual([])
    const early = createApprovals(store, () => Date.now() - 3_600_001)
    const [{ id = '' } = {}] = await early.list()
    await early.answer(id, 'once', 'bob')
    expect(await write(approved)).toContain('waits for approval')
    expect(arrivals()).toEqual([])
  })
})

describe('somebody else', () => {
  const another = { ask: [{ tools: ['files.write'], approver: 'another' as const }] }
  test.each(['token:ada#2', 'user:ada#7', 'ada', 'ADA', 'jwt:eve#1'])('is not %s', async (by) => {
    const { write, approvals, arrivals } = openAttacked(another)
    const access = { caller: 'token:ada#1', isGuest: true }
    await write(approved, access)
    const [{ id = '' } = {}] = await approvals.list()
    await expect(approvals.answer(id, 'once', by)).rejects.toThrow('by the one who approves it')
    await write(approved, access)
    await approvals.answer(id, 'once', 'token:bob#3')
    expect(arrivals()).toEqual([])
    expect(await write(approved, access)).toMatch(/^did/)
  })

  test('cannot be told from a caller without a name, nor be asked in the form of the caller', async () => {
    const { write, clientOf, arrivals, approvals } = openAttacked(another)
    expect(await write(approved, {})).toMatch(/is denied.* has no name/)
    const send = clientOf(ada, () => ({ action: 'accept', content: { approve: 'kept' } }))
    await send('tools/call', { name: 'call', arguments: writing(approved) })
    expect((await approvals.list()).map(({ state }) => state)).toEqual(['waiting'])
    expect(arrivals()).toEqual([])
  })
})

describe('approvals that cannot be read', () => {
  const damages: Record<string, (text: string) => string> = {
    'an empty file': () => '',
    'half a file': (text) => text.slice(0, text.length / 2),
    'a list': () => '[]',
    'an unknown state': (text) => text.replace('"once"', '"always"'),
    'a list for a state': (text) => text.replace('"once"', '["once"]'),
  }
  test.each(Object.entries(damages))('approve nothing: %s', async (_, damage) => {
    const path = fileIn()
    const opened = openAttacked(askWrite, {
      store: createFileApprovalStore(path, sealBeside(path)),
    })
    await opened.write(approved)
    await opened.approve()
    writeFileSync(path, damage(readFileSync(path, 'utf8')))
    expect(await sendRow({ args: writing(approved) }, opened)).toMatch(
      /(?:damaged|not sealed).*: no call can be approved/,
    )
    expect(opened.arrivals()).toEqual([])
  })
})

describe('a seal of a state folder', () => {
  const approvedIn = async (path: string) => {
    const opened = openAttacked(askWrite, {
      store: createFileApprovalStore(path, sealBeside(path)),
    })
    await opened.write(approved)
    return { opened, waiting: readFileSync(path, 'utf8') }
  }

  test('a file that another program wrote approves nothing, nor does one that is put back', async () => {
    const path = fileIn()
    const { opened, waiting } = await approvedIn(path)
    writeFileSync(path, waiting.replace('"waiting"', '"kept"'))
    expect(await opened.write(approved)).toContain('not sealed')
    const { content } = JSON.parse(waiting)
    writeFileSync(path, JSON.stringify(content))
    expect(await opened.write(approved)).toContain('damaged')
    writeFileSync(path, waiting)
    await opened.approve()
    const once = readFileSync(path, 'utf8')
    expect(await opened.write(approved)).toContain('did')
    writeFileSync(path, once)
    expect(await opened.write(approved)).toContain('an old one, which was put back')
    expect(opened.arrivals()).toHaveLength(1)
  })

  test('files of an earlier version are sealed once; with a lost key nothing is approved', async () => {
    const path = fileIn()
    const { waiting } = await approvedIn(path)
    const sealed: string[][] = []
    const open = () =>
      createSeal({
        state: path,
        files: () => [path],
        onLog() {},
        onSealed: (files) => void sealed.push([...files]),
      })
    rmSync(`${path}.key`)
    expect(() => open().open('approvals.json', () => waiting)).toThrow('not sealed with the key')
    rmSync(`${path}.key`)
    writeFileSync(path, JSON.stringify(JSON.parse(waiting).content))
    const seal = open()
    expect(() => seal.open('x', () => '{}')).toThrow()
    expect(sealed).toEqual([[path]])
    expect(
      Object.keys(seal.open(basename(path), () => readFileSync(path, 'utf8')) as object),
    ).toHaveLength(1)
    expect(() => open().open('x', () => '{}')).toThrow()
    expect(sealed).toHaveLength(1)
    expect(statSync(`${path}.key`).mode & 0o777).toBe(0o600)
  })
})

test('a form names words whose letters only look like others', () => {
  const question = {
    server: 'a',
    tool: 'open',
    setting: 'x',
    needsAnother: false,
    validMs: 1,
    key: 'k',
  }
  const formOf = (args: object) =>
    String(
      approvalForm({ ...question, session: 's', args: JSON.stringify(args) } as never).params?.[
        'message'
      ],
    )
  expect(formOf({ host: 'р\u0430ypal.com', note: 'привет' })).toContain(
    'Has letters that only look like others: рaypal'.replace('рa', 'р\u0430'),
  )
  expect(formOf({ host: 'paypal.com', note: 'привет, мир' })).not.toContain('look like')
})

describe('bounds', () => {
  test('50 calls of a caller wait, and 500 of all, also of those that come at once', async () => {
    const { write, approvals } = openAttacked(askWrite)
    const pathsOf = async (caller: string) =>
      (await approvals.list())
        .filter((entry) => entry.caller === caller)
        .map(({ args }) => JSON.parse(args).path)
    const calls = Array.from({ length: 60 }, (_, at) => write({ path: `/${at}` }))
    for (const reply of await Promise.all(calls)) expect(reply).toContain('waits for approval')
    expect(await approvals.list()).toHaveLength(50)
    // The oldest of the same caller give way.
    expect(await write({ path: '/59' })).toContain('waits for approval')
    const [{ caller: first = '' } = {}] = await approvals.list()
    expect(await pathsOf(first)).toEqual(Array.from({ length: 50 }, (_, at) => `/${at + 10}`))
    for (let caller = 0; caller < 11; caller++)
      for (let at = 0; at < 50; at++)
        expect(await write({ path: `/${at}` }, { caller: `c${caller}` })).toContain('waits')
    const all = await approvals.list()
    expect(all).toHaveLength(500)
    // Ten that fill the queue leave room for others.
    expect((await pathsOf('c10')).length).toBeGreaterThan(500 / 13)
  })

  test('nobody is asked about more than can be read', async () => {
    const { write, clientOf, approvals, arrivals } = openAttacked(askWrite)
    expect(await write({ path: 'x'.repeat(20_000) })).toContain(
      'a person cannot read more than 20000',
    )
    const send = clientOf(ada, () => ({ action: 'accept' }))
    await send('tools/call', { name: 'call', arguments: writing({ path: 'x'.repeat(4_000) }) })
    expect(await approvals.list()).toHaveLength(1)
    expect(arrivals()).toEqual([])
  })
})

function fileIn(): string {
  const folder = temporaryFolder(onTestFinished)
  return join(folder, 'approvals.json')
}
