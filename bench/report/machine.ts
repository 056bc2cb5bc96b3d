import { arch, cpus, platform, totalmem } from 'node:os'

/** Facts about the machine that affect the figures, without anything that identifies its owner. */
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
