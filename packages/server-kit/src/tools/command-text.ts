/** How a tool is called on the command line. */
export interface CommandForm {
  /** With the name of the program: `docs-mcp toc`. */
  command: string
  /** The parameters that are its words, in order; others are flags. */
  words: readonly string[]
}

/** `tool(name="value", other=["a"], third=5)`, as `callText` writes it. */
const value = String.raw`(?:"(?:[^"\\\n]|\\.)*"|\[[^\]\n]*\]|[\w.-]+)`
const callPattern = new RegExp(String.raw`\b(\w+)\((\w+=${value}(?:, \w+=${value})*)\)`, 'g')
const argumentPattern = new RegExp(String.raw`(\w+)=(${value})`, 'g')

/**
 * A text in which the calls of tools are commands, and parameters to change are flags; `flags` has
 * the flag of each parameter. A call of `current` that only continues is its `--page`.
 */
export function withCommands(
  text: string,
  forms: Readonly<Record<string, CommandForm>>,
  flags: Readonly<Record<string, string>>,
  current: string,
): string {
  const commandOf = (call: string, tool: string, list: string): string => {
    const form = forms[tool]
    if (!form) return call
    const args = new Map<string, unknown>()
    for (const [, name = '', json = ''] of list.matchAll(argumentPattern))
      args.set(name, JSON.parse(json))
    const flagged = [...args].flatMap(([name, argument]) => {
      const flag = flags[name]
      if (flag === undefined || form.words.includes(name)) return []
      return argument === true ? [flag] : [`${flag} ${shellWord(argument)}`]
    })
    const page = flagged.find((flag) => flag.startsWith('--page'))
    if (form.command === current && page !== undefined) return page
    const words = form.words.flatMap((name) => (args.has(name) ? [shellWord(args.get(name))] : []))
    return [form.command, ...words, ...flagged].join(' ')
  }
  return text
    .replace(callPattern, commandOf)
    .replace(/(?<=\b(?:raise|leave out|use|with) )(?:`(\w+)`|\w+_\w+)/gi, (name, quoted: string) =>
      Object.hasOwn(flags, quoted ?? name) ? `${flags[quoted ?? name]}` : name,
    )
}

/** Quoted if a shell would change it. */
function shellWord(word: unknown): string {
  const text = String(word)
  return /^[\w./:#@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
