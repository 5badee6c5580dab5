import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Code, type CodeOptions, createCode } from '@pith-mcp/code'

/** A folder of files on disk, and the library over it. */
export interface CodeFolder {
  folder: string
  code: Code
  write(path: string, text: string | Uint8Array): Promise<void>
  remove(): Promise<void>
}

export async function codeFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<CodeOptions> = {},
): Promise<CodeFolder> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'code-test-')))
  const write = async (path: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  const code = await createCode({ roots: [folder], ...options })
  return {
    folder,
    code,
    write,
    async remove() {
      await code.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
