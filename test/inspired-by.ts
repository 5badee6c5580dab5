/** A behaviour that one of the systems states, and what proves it here. */
interface Behaviour {
  behaviour: string
  /** The file that has it. */
  place: string
  /** A file and the title of a test in it; for the tables of docs/compat.md, tool and parameter. */
  test?: readonly [file: string, title: string]
  /** What is not the same, or not built; needed where there is no test. */
  difference?: string
}

export interface System {
  title: string
  text: string
  behaviours: readonly Behaviour[]
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function tableOf(behaviours: readonly Behaviour[]): string {
  const lines = behaviours.map(({ behaviour, place, test, difference = '' }) => [
    behaviour,
    `\`${place}\``,
    test ? `\`${test[0]}\`: ${cell(test[1])}` : 'none',
    difference,
  ])
  const all = [['what it does', 'where Pith has it', 'test', 'what differs'], ...lines]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((line) => line[at]?.length ?? 0)))
  const [head = '', ...body] = all.map(
    (line) => `| ${line.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
}

export const sectionOf = ({ title, text, behaviours }: System): string =>
  `## ${title}\n\n${text}\n\n${tableOf(behaviours)}\n`
