import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words of a text that tells the reader what to do for more, or instead. */
const phrase =
  /callText\(|read_more\(|(?:[^\w ] ?|or )(?:raise|repeat|pass|leave out|use|add|try|narrow|translate) |\b(?:for more|for others|to continue|include_code_blocks=true)\b/i

const isText = (line: string): boolean =>
  /['`"]/.test(line) && !/^\s*(?:\*|\/\/|\/\*\*|import )|UsageError|help: /.test(line)

/** Lines of sources that tell what to do, as `file: line`. */
function leverLines(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        readFileSync(join(folder, name), 'utf8')
          .split('\n')
          .filter((line) => phrase.test(line) && (isText(line) || line.includes('callText(')))
          .map((line) => `${name}: ${line.trim()}`),
      ),
  )
}

/** Lines that no row of a test proves, and rows whose text is in no line. */
export function unproved(folders: readonly string[], texts: readonly string[]) {
  const lines = leverLines(folders)
  return {
    lines: lines.filter((line) => !texts.some((text) => line.includes(text))),
    texts: texts.filter((text) => !lines.some((line) => line.includes(text))),
  }
}

/** A call that a reply contains: the tool and its arguments. */
export type Call = [tool: string, args: Record<string, unknown>]

/** The last call of a text, as the replies write calls. @throws if the text has no call */
export function callIn(text: string): Call {
  const [, tool = '', list = ''] =
    [...text.matchAll(/\b([a-z]+_[a-z_]+)\((\w+=[^\n]*?)\)(?=[\]\n:]|$)/g)].at(-1) ?? []
  if (tool === '') throw new Error(`No call in: ${text}`)
  const args = [...list.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|[\w.-]+)/g)]
  return [tool, Object.fromEntries(args.map(([, name, json = '']) => [name, JSON.parse(json)]))]
}
