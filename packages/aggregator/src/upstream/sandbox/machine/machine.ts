import type { Launch } from '../port/launch.ts'
import type { SandboxReport } from '../port/sandbox.ts'
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts'
import { type NodeVersion, nodeVersion } from './node-version.ts'

/** What there is to enforce a sandbox with. Both reject with what is missing, and what to do. */
export interface Machine {
  findBubblewrap(): Promise<Bubblewrap>
  nodeVersion(command: string): Promise<NodeVersion>
}

export const thisMachine: Machine = { findBubblewrap, nodeVersion }

/** How a server is started, and what that enforces. */
export interface Confined {
  launch: Launch
  report: SandboxReport
}
