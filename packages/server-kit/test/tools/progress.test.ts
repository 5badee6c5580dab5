import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineTool, registerTools, type ToolCall, toolCall } from '../../src/tools/index.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => vi.useRealTimers())

/** The progress that a client sees of a tool, up to its result or error. */
async function progressOf(answer: (call: ToolCall) => void): Promise<number[]> {
  const server = new McpServer({ name: 'test', version: '0' })
  const tool = defineTool<object, ToolCall, z.ZodObject>({
    name: 'count',
    description: 'Counts.',
    input: z.object({}),
    async answer(_input, _library, call) {
      answer(call)
      return { text: 'Done.', data: {} }
    },
  })
  registerTools(server, [tool], {
    open: async () => ({}),
    callOf: (context) => toolCall(context, 'page'),
    isOpenWorld: false,
    limitReply: (text) => text,
    loadErrorTexts: async () => ({ errorText: String, isExpected: () => true }),
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '0' })
  await Promise.all([server.connect(far), client.connect(near)])
  const seen: number[] = []
  await client.callTool(
    { name: 'count', arguments: {} },
    { onprogress: ({ progress }) => seen.push(progress) },
  )
  await client.close()
  return seen
}

const count = ({ onProgress }: ToolCall) => {
  for (let done = 1; done <= 2_000; done++) {
    onProgress?.({ done, total: 0 })
    vi.advanceTimersByTime(1)
  }
}

test('progress is sent at most twice a second, and the last one before the result', async () => {
  expect(await progressOf(count)).toEqual([1, 501, 1_001, 1_501, 2_000])
})

test('the last progress is sent before an error too, and none twice', async () => {
  const failing = (call: ToolCall) => {
    call.onProgress?.({ done: 1, total: 3 })
    call.onProgress?.({ done: 2, total: 3 })
    throw new Error('No.')
  }
  expect(await progressOf(failing)).toEqual([1, 2])
  expect(await progressOf(({ onProgress }) => onProgress?.({ done: 1, total: 1 }))).toEqual([1])
})
