import type { Command, CommandBody } from '../program/command.ts'

/** What is known about a command before its file is loaded: enough to list and to find it. */
export interface CommandEntry extends Pick<Command, 'name' | 'summary'> {
  load: () => Promise<{ default: CommandBody }>
}

export function entry(name: string, summary: string, load: CommandEntry['load']): CommandEntry {
  return { name, summary, load }
}

/** Commands under one heading of the help. */
export interface CommandSection {
  title: string
  commands: readonly CommandEntry[]
}
