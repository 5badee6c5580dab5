import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { stampAt } from '#fetch/file/stamp-at'
import { nearest } from '#fetch/protocol/nearest'
import { DocsError, quoteValue } from '#formats/docs-error'
import { addressOf, isVersion, type Library, type LibraryProject } from './library.ts'
import { openNpmProject } from './npm-project.ts'
import { choiceFile, type ProjectChoice, readChoice } from './project-choice.ts'
import { openPythonProject, pythonName } from './python-project.ts'

interface State {
  stamp: string
  projects: LibraryProject[]
  direct: Library[]
}

/** Names that an error compares with. */
const maxNames = 20_000

/** A project of any ecosystem. Its files are read at the first use, and again when they change. */
export interface Project {
  name: string
  /** Libraries that it names, the packages of its workspace and what `docs-mcp.json` adds. */
  direct(): Promise<Library[]>
  /** All versions of a name; the direct ones come first. */
  versionsOf(name: string): Promise<Library[]>
  /** The error for a name that is not installed, with the nearest ones. */
  missing(name: string): Promise<DocsError>
}

export function openProject(folder: string): Project {
  const name = basename(folder)
  let state: Promise<State> | undefined

  return {
    name,
    direct: async (): Promise<Library[]> => (await current()).direct,
    versionsOf,
    missing,
  }

  async function current(): Promise<State> {
    const previous = await state?.catch(() => undefined)
    if (previous && previous.stamp === (await stampOf(previous.projects))) return previous
    state = read()
    return state
  }

  async function stampOf(projects: readonly LibraryProject[]): Promise<string> {
    const watched = [...projects.flatMap((project) => project.watched), join(folder, choiceFile)]
    return (await Promise.all(watched.map(stampAt))).join()
  }

  async function read(): Promise<State> {
    const real = await realpath(folder)
    const { add, leaveOut } = await readChoice(real)
    const opened = await Promise.all([openNpmProject(real), openPythonProject(real)])
    const projects = opened.flatMap((project) => project ?? [])
    const stamp = await stampOf(projects)
    const lists = await Promise.all(projects.map((project) => project.list()))
    const added = await Promise.all(add.map((choice) => addedBy(choice, projects)))
    const names = new Set([...leaveOut, ...add.map((choice) => choice.name)])
    const direct = [...added, ...lists.flat().filter((library) => !names.has(library.name))]
    return { stamp, projects, direct }
  }

  async function versionsOf(requested: string): Promise<Library[]> {
    const { direct, projects } = await current()
    const ownVersions = direct.filter(
      ({ ecosystem, name: title }) =>
        title === requested || (ecosystem === 'Python' && title === pythonName(requested)),
    )
    const versions = new Map<string, Library>()
    for (const library of [...ownVersions, ...(await transitive(requested, projects))]) {
      const key = `${library.ecosystem} ${addressOf(library)}`
      if (!versions.has(key)) versions.set(key, library)
    }
    return [...versions.values()]
  }

  async function missing(requested: string): Promise<DocsError> {
    const { direct, projects } = await current()
    const lists = await Promise.all(projects.map((project) => project.names(maxNames)))
    const names = new Set([...direct.map((library) => library.name), ...lists.flat()])
    const alike = nearest(requested, [...names], (title) => title, 5)
    return new DocsError(
      'not_found',
      `${quoteValue(requested)} is not installed in ${name}.`,
      alike.length > 0
        ? `Nearest: ${alike.join(', ')}. Or pass the URL of its documentation.`
        : 'Pass the URL of its documentation.',
    )
  }
}

const transitive = async (name: string, projects: readonly LibraryProject[]): Promise<Library[]> =>
  (await Promise.all(projects.map((project) => project.versionsOf(name)))).flat()

async function addedBy(
  { name, version }: ProjectChoice['add'][number],
  projects: readonly LibraryProject[],
): Promise<Library> {
  const match = (await transitive(name, projects)).find(
    (library) => version === undefined || isVersion(version, library.version),
  )
  if (match) return { ...match, group: 'added' }
  const planned = { version: version ?? '', lockfile: choiceFile }
  return { ecosystem: 'npm', name, version: version ?? '', group: 'added', planned }
}
