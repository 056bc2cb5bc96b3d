import { arch, cpus, platform, totalmem } from 'node:os'

/** What of the machine bears on the figures, and nothing that tells whose it is. */
export interface MachineFacts {
  node: string
  platform: string
  cpuModel: string
  cpus: number
  memoryGigabytes: number
}

export function machineFacts(): MachineFacts {
  const processors = cpus()
  return {
    node: process.versions.node,
    platform: `${platform()} ${arch()}`,
    cpuModel: processors[0]?.model.trim() ?? 'unknown',
    cpus: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  }
}
