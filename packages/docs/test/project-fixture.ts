import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files by their paths; objects are written as JSON. */
export type ProjectFiles = Readonly<Record<string, string | object>>

/** A folder with these files, and how it is removed. */
export async function createProject(
  files: ProjectFiles,
): Promise<{ folder: string; write(more: ProjectFiles): Promise<void>; remove(): Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'project-')))
  const write = async (more: ProjectFiles): Promise<void> => {
    for (const [path, content] of Object.entries(more)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      await writeFile(join(folder, path), text)
    }
  }
  await write(files)
  return { folder, write, remove: () => rm(folder, { recursive: true }) }
}

/** An installed package with a README. */
export const packageFiles = (
  folder: string,
  name: string,
  version: string,
  more: ProjectFiles = {},
): ProjectFiles => ({
  [`${folder}/package.json`]: { name, version },
  [`${folder}/README.md`]: `# ${name}\n\nAbout ${name} in version ${version}.`,
  ...Object.fromEntries(Object.entries(more).map(([path, text]) => [`${folder}/${path}`, text])),
})
