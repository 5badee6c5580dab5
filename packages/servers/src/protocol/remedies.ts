/**
 * Sentences that say what to do about an error. A program that embeds the aggregator replaces them to
 * name its own commands. `server` is `SERVER` or `SERVER@ACCOUNT`.
 */
export interface Remedies {
  /** The server needs a sign-in. */
  signIn(server: string): string
  /** The tool is held. Models read this: it must not contain the command that approves the tool. */
  approveTool(server: string, tool: string): string
  /**
   * The call waits for a person, or for another person than the caller. Models read this: it must not
   * contain the command that approves the call.
   */
  approveCall(needsAnother: boolean): string
  /** The server was stopped. */
  startServer(server: string): string
}

export const defaultRemedies: Remedies = {
  signIn: (server) => `Sign in to ${server}.`,
  approveTool: () => 'It cannot be called until a person has reviewed and approved it.',
  approveCall: (needsAnother) =>
    `${needsAnother ? 'Another person than the caller' : 'A person'} must approve it.`,
  startServer: (server) => `Start ${server} again.`,
}
