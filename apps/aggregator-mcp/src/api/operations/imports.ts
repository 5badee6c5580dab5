import { z } from 'zod'
import { hostEnvironment } from '../../import/entry/host-environment.ts'
import { runImport } from '../../import/run-import.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { named } from '../schemas/named.ts'
import { onlyFile } from './servers.ts'

const importOptions = named('ImportOptions', {
  clients: z.array(z.string()).max(20).optional().describe('Only these clients. Default: all.'),
  copy: z.boolean().default(false).describe('Copy into our file, and do not change the clients.'),
})

const importReport = named('ImportReport', {
  isDone: z.boolean().describe('Whether everything was done. If not, text names what was not.'),
  text: z.string().describe('The output of aggregator-mcp import.'),
})

const tag = 'imports'

export const importOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/imports/preview',
    tag,
    summary: 'Preview an import from the clients on the machine of the aggregator.',
    isRead: true,
    body: importOptions,
    answer: importReport,
    run: ({ body }, { settings }) => report(wordsFor(body, onlyFile(settings))),
  }),
  operation({
    method: 'post',
    path: '/imports',
    tag,
    summary: 'Import from clients. Every changed file is backed up.',
    body: importOptions,
    answer: importReport,
    run: ({ body }, { settings }) => report([...wordsFor(body, onlyFile(settings)), '--write']),
  }),
  operation({
    method: 'post',
    path: '/imports/undo',
    tag,
    summary: 'Undo the last import: restore every file.',
    answer: importReport,
    run: () => report(['--undo']),
  }),
]

const wordsFor = (
  { clients = [], copy }: z.output<typeof importOptions>,
  file: string,
): string[] => [
  ...clients.flatMap((name) => ['--client', name]),
  ...(copy ? ['--copy'] : []),
  '--config',
  file,
]

async function report(words: readonly string[]): Promise<z.input<typeof importReport>> {
  let text = ''
  const add = (part: string): void => {
    text += part
  }
  const code = await runImport(words, hostEnvironment(), { print: add, printError: add })
  return { isDone: code === 0, text }
}
