/** A process to start. */
export interface Launch {
  command: string
  args: readonly string[]
  /** The complete environment. */
  env: Readonly<Record<string, string>>
  cwd?: string | undefined
  /** Contents of the descriptors 3, 4 and so on. */
  inputs?: readonly Buffer[] | undefined
  /** It inherits no other descriptors, such as those this process was started with. */
  isConfined?: boolean | undefined
}
