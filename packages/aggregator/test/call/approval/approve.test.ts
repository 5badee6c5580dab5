import { expect, onTestFinished, test } from 'vitest'
import type { PermissionSettings } from '../../../../servers/src/config/permission-settings.ts'
import type { JsonObject, Message } from '../../../../servers/src/protocol/message.ts'
import type { Access } from '../../../../servers/src/protocol/request-context.ts'
import { createMemoryApprovalStore } from '../../../src/call/approval/approval-store.ts'
import { createApprovals } from '../../../src/call/approval/approvals.ts'
import { answerRequest } from '../../../src/server/methods/answer-request.ts'
import { configOf, createClient, type FakeServer, text, textOf } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const ada: Access = { caller: 'ada' }

/** A server that notes what reaches it. */
function openWith(permissions: PermissionSettings, more: object = {}) {
  const sent: JsonObject[] = []
  const files: FakeServer = {
    tools: [
      {
        name: 'write',
        definition: {
          inputSchema: {
            type: 'object',
            properties: { path: { type: 'string' }, size: { type: 'integer' } },
            required: ['path'],
          },
        },
        run(args) {
          sent.push(args)
          return text('written')
        },
      },
      {
        name: 'read',
        definition: { annotations: { readOnlyHint: true } },
        run(args) {
          sent.push(args)
          return text('was read')
        },
      },
    ],
    resources: [{ uri: 'file:///etc/passwd', name: 'passwd' }],
    answer(message) {
      sent.push({ method: message.method, ...message.params })
      return { contents: [{ uri: 'file:///etc/passwd', text: 'root' }] }
    },
  }
  const approvalStore = createMemoryApprovalStore()
  const servers = [configOf('files')]
  const opened = openAggregator({ files }, { servers, permissions, approvalStore, ...more })
  onTestFinished(opened.aggregator.close)
  const write = (params: JsonObject, access: Access = ada) =>
    opened.use('call', { module: 'files', tool_name: 'write', params }, access)
  return { ...opened, write, sent, approvals: createApprovals(approvalStore) }
}

const ask = { ask: [{ tools: ['files.write'], reason: 'Files of the team' }] }

test('a denied call reaches no server, and says which setting denies it', async () => {
  const { write, sent, lines } = openWith({
    deny: [{ tools: ['files.write'], params: { path: { below: '/etc' } }, reason: 'Not there.' }],
  })
  expect(await write({ path: '/etc/hosts' })).toBe(
    'files.write with these arguments is denied by aggregator.permissions.deny[0]: Not there. Nothing was called. An operator can change the permissions in the configuration.',
  )
  expect(lines.at(-1)).toMatchObject({ outcome: 'call_denied', module: 'files', caller: 'ada' })
  expect(await write({ path: '/srv/hosts' })).toBe('written')
  expect(sent).toEqual([{ path: '/srv/hosts' }])
})

test('a call waits until it is approved, and runs once then', async () => {
  const { write, sent, approvals, lines } = openWith(ask)
  const reply = await write({ path: '/a' })
  const [waiting] = await approvals.list()
  expect(reply).toMatch(
    new RegExp(
      `^files.write waits for approval ${waiting?.id}, because of aggregator.permissions.ask\\[0\\]: Files of the team. Nothing was called. A person must approve it. Make the same call with the same arguments after that, until \\S+Z.$`,
    ),
  )
  expect(await write({ path: '/a' })).toContain(waiting?.id)
  expect(sent).toEqual([])
  await approvals.answer(waiting?.id ?? '', 'once', 'token:bob#1')
  expect(await write({ path: '/a' })).toBe('written')
  expect(await write({ path: '/a' })).toContain('waits for approval')
  expect(sent).toEqual([{ path: '/a' }])
  const ids = lines.map(({ approval, outcome }) => [outcome, approval])
  expect(ids.slice(1, 3)).toEqual([
    ['needs_approval', waiting?.id],
    ['ok', waiting?.id],
  ])
})

test('what a client is shown is what it approves', async () => {
  const { aggregator, sent } = openWith(ask)
  const questions: Message[] = []
  const answers: JsonObject[] = [
    { action: 'accept', content: {} },
    { action: 'cancel' },
    { action: 'accept', content: { approve: 'session' } },
  ]
  const client = createClient({
    capabilities: { elicitation: { form: {} } },
    answer(message) {
      questions.push(message)
      return answers.shift() ?? { action: 'decline' }
    },
  })
  const context = client.context()
  const write = async (params: JsonObject) =>
    textOf(
      await answerRequest(
        {
          method: 'tools/call',
          params: { name: 'call', arguments: { module: 'files', tool_name: 'write', params } },
        },
        context,
        aggregator.deps,
      ),
    )
  expect(await write({ path: '/a', size: '3' })).toBe('written')
  expect(questions[0]?.params?.['message']).toBe(
    'Approve this call? files, write:\n  {\n    "path": "/a",\n    "size": 3\n  }\nAsked because of aggregator.permissions.ask[0]: Files of the team',
  )
  expect(await write({ path: '/a', size: 3 })).toMatch(/^files.write was refused by /)
  expect(await write({ path: '/a', size: 3 })).toBe('written')
  expect(await write({ path: '/a', size: 3 })).toBe('written')
  expect(await write({ path: '/b' })).toMatch(/was refused by/)
  expect(sent).toHaveLength(3)
  expect(questions).toHaveLength(4)
})

test('resources are denied in any spelling, and asked for like calls', async () => {
  const { aggregator, sent, approvals } = openWith({
    ask: [{ resources: ['file:///etc/*'] }],
  })
  const read = (uri: string, method = 'resources/read') =>
    aggregator.request({ method, params: { uri } }, { access: ada })
  await expect(read('file:///etc/passwd')).rejects.toThrow('waits for approval')
  await expect(read('files+file:///etc/passwd')).rejects.toThrow('waits for approval')
  await expect(read('files+file:///etc/../etc/passwd')).rejects.toThrow('waits for approval')
  await expect(read('file:///etc/passwd', 'resources/subscribe')).rejects.toThrow('is denied')
  const [waiting] = (await approvals.list()).filter(({ args }) => !args.includes('..'))
  await approvals.answer(waiting?.id ?? '', 'once', 'owner')
  await read('file:///etc/passwd')
  await expect(read('file:///etc/passwd')).rejects.toThrow('waits for approval')
  expect(sent.filter(({ method }) => method === 'resources/read')).toHaveLength(1)
})
