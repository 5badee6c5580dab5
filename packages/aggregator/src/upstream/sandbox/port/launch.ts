/** What is started. */
export interface Launch {
  command: string
  args: readonly string[]
  /** All of its environment. */
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
  /** What it reads from its descriptors 3, 4 and so on. */
  inputs?: readonly Buffer[] | undefined
  /** It gets no other descriptor of ours, such as those we were started with. */
  isConfined?: boolean | undefined
}
