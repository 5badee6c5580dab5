import { configSchema } from '@pith-mcp/aggregator'
import { asSentence } from '@pith-mcp/base/as-sentence'
import { allScopes } from '@pith-mcp/server-kit'
import {
  FileRefused,
  isTable,
  readJsonc,
  serversKeyOf,
  type Table,
} from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { z } from 'zod'
import { isInClear, mask, maskedText } from '../config-file/mask.ts'
import { lineDiff } from '../line-diff.ts'
import {
  type ConfigEdit,
  editValues,
  previewValues,
  readConfigTexts,
  readOnlyReason,
  versionOf,
} from './config-edits.ts'
import type { StateContext } from './context.ts'
import { scopeOfEdits } from './edit-scope.ts'
import { component, type Operation, operation } from './operation.ts'
import { checkScope } from './problem.ts'

const members = z.record(z.string(), z.unknown())

const configFile = component('ConfigFile', {
  path: z.string(),
  version: z.string().describe('Pass it back with a change: it is refused if the file changed.'),
  mcpServers: members,
  aggregator: members,
})

const configuration = component('Configuration', {
  files: z.array(configFile).describe(`Texts that may be secret are ${mask}.`),
  readOnlyReason: z.string().optional().describe('Why changes cannot be saved here.'),
})

const edits = component('ConfigEdits', {
  edits: z
    .array(
      z.object({
        path: z.array(z.string().min(1).max(200)).min(2).max(8),
        value: z.unknown().optional().describe('Absent: the member is removed.'),
        isSecret: z
          .boolean()
          .optional()
          .describe('Stored where secrets are; the file gets a reference.'),
      }),
    )
    .min(1)
    .max(500),
  version: z.string().optional(),
})

const preview = component('ConfigPreview', {
  path: z.string(),
  version: z.string(),
  diff: z.array(z.string()).describe('Lines; "- " is removed, "+ " added, "…" stands for others.'),
  scope: z.enum(allScopes).describe('What saving requires.'),
  inClear: z
    .array(z.array(z.string()))
    .describe('Paths of texts that would be in the file in clear, and may be secret.'),
  secretStore: z
    .string()
    .optional()
    .describe('Where secrets are stored, if there are any: the keychain, or a folder.'),
  readOnlyReason: z.string().optional().describe('Why it cannot be saved here.'),
})

export const getConfig = operation({
  method: 'get',
  path: '/config',
  summary: 'Get the configuration, without secrets.',
  query: z.object({
    plain: z
      .enum(['true'])
      .optional()
      .describe('Also variables and headers that are no secrets, with the scope console:admin.'),
  }),
  answer: configuration,
  async run({ plain }, context: StateContext, { principal }) {
    const { settings } = context
    const showsPlain = plain === 'true' && principal.scopes.has('console:admin')
    return {
      files: (await readConfigTexts(settings.config)).map((file) => describeFile(file, showsPlain)),
      readOnlyReason: readOnlyReason(context),
    }
  },
})

export const editConfig = operation({
  method: 'post',
  path: '/config/edit',
  summary:
    'Set or remove values of the configuration. Everything else in the file stays byte for byte. What is started, who may enter, what is trusted, and what permits more than before, require the scope console:admin.',
  body: edits,
  audit: describeEdits,
  answer: z.object({ path: z.string() }),
  async run(input, context: StateContext, { principal }) {
    const { edits, version } = input
    const paths = edits.map(({ path }) => path)
    const check = (before: string, after: string): void =>
      checkScope(scopeOfEdits(paths, before, after), principal)
    const { path } = await editValues(context, edits, { version, check })
    return { path }
  },
})

export const configOperations: readonly Operation[] = [
  getConfig,
  operation({
    method: 'get',
    path: '/config/schema',
    summary: 'Get the JSON Schema of a configuration file.',
    answer: members,
    run: () => configSchema(),
  }),
  operation({
    method: 'post',
    path: '/config/preview',
    summary: 'Show what a change of the configuration would write. Writes nothing.',
    body: edits,
    answer: preview,
    async run({ edits, version }, context, { principal }) {
      const { path, before = '', after = '' } = await previewValues(context, edits, version)
      const inClear = edits.flatMap(pathsInClear)
      const hasSecret = inClear.length > 0 || edits.some(({ isSecret }) => isSecret)
      return {
        path,
        version: versionOf(before),
        // Whether a guess of a secret is right is not for others.
        diff: diffOf(before, after, principal.scopes.has('console:admin') ? [] : edits),
        scope: scopeOfEdits(
          edits.map((edit) => edit.path),
          before,
          after,
        ),
        inClear,
        ...(hasSecret && { secretStore: (await context.secrets()).where }),
        readOnlyReason: readOnlyReason(context),
      }
    },
  }),
  editConfig,
]

/** @throws {UsageError} with the path, if the file is not valid JSON */
function describeFile(
  { path, text }: { path: string; text: string },
  showsPlain: boolean,
): z.input<typeof configFile> {
  const data = dataOf(path, text, showsPlain)
  const membersAt = (key: string) => (isTable(data[key]) ? data[key] : {})
  return {
    path,
    version: versionOf(text),
    mcpServers: membersAt(serversKeyOf(data)),
    aggregator: membersAt('aggregator'),
  }
}

function dataOf(path: string, text: string, showsPlain: boolean): Table {
  try {
    return readJsonc(maskedText(text, { showsPlain })).data
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    throw new UsageError(`${path}: ${asSentence(error.message)} Correct the file.`)
  }
}

/** Of a secret that changes, both lines differ; of `hidden` ones whether they change or not. */
function diffOf(before: string, after: string, hidden: readonly ConfigEdit[]): string[] {
  const textOf = new Map<string, string>()
  const isHidden = (at: readonly string[]): boolean =>
    hidden.some(({ path }) => path.slice(1).every((step, index) => step === at[index + 1]))
  const old = maskedText(before, {
    maskOf({ path, value }) {
      textOf.set(path.join('\0'), value)
      return mask
    },
  })
  const now = maskedText(after, {
    maskOf: ({ path, value }) =>
      textOf.get(path.join('\0')) === value && !isHidden(path) ? mask : `${mask} (new)`,
  })
  return lineDiff(old, now)
}

function pathsInClear({ path, value, isSecret }: ConfigEdit): string[][] {
  if (isSecret) return []
  if (typeof value === 'string') return isInClear(path, value) ? [[...path]] : []
  return isTable(value)
    ? Object.entries(value).flatMap(([key, item]) =>
        pathsInClear({ path: [...path, key], value: item }),
      )
    : []
}

/** As the commands that do the same, without values. */
function describeEdits({ edits }: { edits: readonly ConfigEdit[] }): string {
  const parts = edits.map(
    ({ path, value }) => `${value === undefined ? 'unset' : 'set'} ${path.join('.')}`,
  )
  return `config ${parts.join(', ')}`
}
