import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks a person at the terminal. The answer to a secret question is not shown while it is typed. */
export async function askPerson(question: string, isSecret: boolean): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silent : process.stderr
  // The terminal shows what is typed until this.
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  // Nothing has been written yet.
  lines.on('SIGINT', () => process.exit(130))
  try {
    return (await lines.question('')).trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}
