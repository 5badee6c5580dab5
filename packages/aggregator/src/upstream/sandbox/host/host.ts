import type { Launch } from '../port/launch.ts'
import type { SandboxReport } from '../port/sandbox.ts'
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts'
import { type NodeVersion, nodeVersion } from './node-version.ts'

/** Sandbox programs of this machine. Both functions reject with what is missing and what to do. */
export interface SandboxHost {
  findBubblewrap(): Promise<Bubblewrap>
  nodeVersion(command: string): Promise<NodeVersion>
}

export const thisHost: SandboxHost = { findBubblewrap, nodeVersion }

/** How to start a confined server, and what is enforced. */
export interface Confined {
  launch: Launch
  report: SandboxReport
}
