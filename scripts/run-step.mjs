import { spawn } from 'node:child_process'

/** Run a command and show its output. Resolves to its exit code; never rejects. */
export function runStep(command, args, { onChunk, ...options } = {}) {
  // On Windows pnpm and npm are .cmd files, which need a shell. The shell gets one line: separate
  // arguments with `shell` are deprecated in Node.
  const shell = process.platform === 'win32' && !command.endsWith('.exe')
  const [file, rest] = shell ? [[command, ...args].join(' '), []] : [command, args]
  return new Promise((resolve) => {
    const child = spawn(file, rest, {
      stdio: ['ignore', 'inherit', 'inherit'],
      shell,
      ...options,
    })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', onChunk)
    child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
    child.on('error', (error) => {
      // Aborted by the signal of the options: `close` follows.
      if (error.name === 'AbortError') return
      const text = `${command}: ${error.message}\n`
      if (onChunk) onChunk(text)
      else process.stderr.write(text)
      resolve(1)
    })
  })
}

/** The same; the output is passed in one piece at the end. */
export async function runStepQuietly(command, args, onOutput, options = {}) {
  const chunks = []
  const code = await runStep(command, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    onChunk: (chunk) => chunks.push(Buffer.from(chunk)),
  })
  onOutput(Buffer.concat(chunks).toString())
  return code
}
