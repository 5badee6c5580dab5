import { existsSync } from 'node:fs'
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileRefused, readText } from '../files/read-text.ts'
import { replaceUnchanged } from '../files/replace-unchanged.ts'
import { AddError } from './add-error.ts'
import type { Client } from './entries/client.ts'
import { foldersAround, type HostEnvironment, type Scope } from './locations/location.ts'

/** What a server tells agents about its tools, as a skill or as a block in their rules. */
export interface Guide {
  /** Of the skill: lower case, with hyphens. */
  name: string
  /** When to use it; clients show it to models from the start. */
  description: string
  /** Markdown. */
  text: string
}

interface GuideOptions {
  client: Client
  host: HostEnvironment
  guide: Guide
  /** Default: the usual scope of the client. */
  scope?: Scope | undefined
}

/** Which of the two to write. */
export interface GuideForms {
  skill: boolean
  rules: boolean
}

/**
 * Writes a guide for a client: as a skill, as a marked block of its rules, or as both. Resolves to a
 * line for each. @throws {AddError}
 */
export async function writeGuide(
  options: GuideOptions & GuideForms & { force: boolean; print: boolean },
): Promise<string[]> {
  const { guide, skill, rules, force, print } = options
  const { skillFile, rulesFile, lead } = filesOf(options)
  const lines: string[] = []
  const write = async (
    file: string | undefined,
    what: string,
    textOf: (before: string | undefined) => string,
  ) => {
    if (file === undefined) throw noPlace(options.client, what)
    const before = await textIn(file)
    const text = textOf(before)
    if (print) lines.push(`${file}\n\n${text}`)
    else if (text === before) lines.push(`${file} is as it should be.`)
    else {
      await save(file, text, before)
      lines.push(`${file}: written.`)
    }
  }
  if (skill)
    await write(skillFile, 'skills', (before) => {
      if (before !== undefined && before !== skillText(guide) && !force)
        throw new AddError('name_taken', `${skillFile} has another text.`)
      return skillText(guide)
    })
  if (rules)
    await write(rulesFile, 'rules', (before) => {
      const block = before === undefined ? undefined : blockIn(before, guide)
      if (before === undefined) return lead + blockOf(guide)
      return block === undefined
        ? `${before}${separator}${blockOf(guide)}`
        : before.replace(block, () => blockOf(guide))
    })
  return lines
}

/** Removes what `writeGuide` wrote, byte for byte. Resolves to a line for each. @throws {AddError} */
export async function removeGuide(options: GuideOptions): Promise<string[]> {
  const { guide } = options
  const { skillFile, rulesFile, lead } = filesOf(options)
  const lines: string[] = []
  const skill = skillFile && (await textIn(skillFile))
  if (skillFile && skill === skillText(guide)) {
    await rm(skillFile)
    await rmdir(dirname(skillFile)).catch(() => {})
    lines.push(`${skillFile}: removed.`)
  } else if (skill !== undefined) lines.push(`${skillFile} was changed; it was not removed.`)
  const rules = rulesFile && (await textIn(rulesFile))
  const block = rules && blockIn(rules, guide)
  if (rulesFile && rules && block) {
    const at = rules.indexOf(block)
    const start = rules.slice(0, at).endsWith(separator) ? at - separator.length : at
    const rest = rules.slice(0, start) + rules.slice(at + block.length)
    if (rules === lead + block) await rm(rulesFile)
    else await save(rulesFile, rest, rules)
    lines.push(`${rulesFile}: removed the block of ${guide.name}.`)
  }
  return lines
}

function filesOf({ client, scope = client.scope, host, guide }: GuideOptions) {
  const [at, base] = scope === 'folder' ? ([0, host.cwd] as const) : ([1, host.home] as const)
  const { skills, rulesIn, otherRules } = client
  const [skillFolder, rulesFile] = [skills?.[at], rulesIn?.[at]].map(
    (path) => path && join(base, path),
  )
  const hidden = scope === 'folder' ? otherRules : undefined
  return {
    skillFile: skillFolder && join(skillFolder, guide.name, 'SKILL.md'),
    ...(hidden && rulesFile ? unhiding(hidden, rulesFile, host) : { rulesFile, lead: '' }),
  }
}

/**
 * Where a block hides no rules of others: in the file that the client reads as long as it has none of
 * its own, or in a new one that imports it, for versions that do not read the other, and for later.
 */
function unhiding(sharedName: string, file: string, host: HostEnvironment) {
  const folders = foldersAround(host)
  const isThere = (name: string) => folders.some((folder) => existsSync(join(folder, name)))
  const names = [basename(file), basename(file).replace('.md', '.local.md')]
  return isThere(sharedName) && !names.some(isThere)
    ? { rulesFile: join(host.cwd, sharedName), lead: '' }
    : { rulesFile: file, lead: `@${sharedName}${separator}` }
}

const skillText = ({ name, description, text }: Guide): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}\n`

/** Before a block in a file that exists, so that it can be removed exactly. */
const separator = '\n\n'

const startOf = ({ name }: Guide): string => `<!-- pith:${name} -->\n`
const endOf = ({ name }: Guide): string => `<!-- /pith:${name} -->\n`
const blockOf = (guide: Guide): string => `${startOf(guide)}${guide.text}\n${endOf(guide)}`

function blockIn(text: string, guide: Guide): string | undefined {
  const start = text.indexOf(startOf(guide))
  const end = text.indexOf(endOf(guide), start)
  return start < 0 || end < 0 ? undefined : text.slice(start, end + endOf(guide).length)
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return (await readText(file))?.text
  } catch (error) {
    if (error instanceof FileRefused)
      throw new AddError('file_refused', `${file}: ${error.message}.`)
    throw error
  }
}

async function save(file: string, text: string, before: string | undefined): Promise<void> {
  const stats = await lstat(file).catch(() => undefined)
  if (stats?.isSymbolicLink()) throw new AddError('file_refused', `${file} is a link.`)
  await mkdir(dirname(file), { recursive: true })
  await replaceUnchanged(file, Buffer.from(text), {
    before: before === undefined ? undefined : Buffer.from(before),
    mode: stats === undefined ? 0o644 : stats.mode & 0o777,
  })
}

const noPlace = ({ title }: Client, what: string): AddError =>
  new AddError('no_location', `${title} has no place for ${what} here.`)
