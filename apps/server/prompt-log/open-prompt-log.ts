import { randomBytes } from 'node:crypto'
import { PromptLog, type GatewayLog, type LogDays } from '@turnpike/gateway'
import type { Storage } from '@turnpike/storage'
import type { Configuration } from '../configuration/configuration.ts'
import { ensureSecret } from '../first-run/generated-secret.ts'

/** In `data_dir`: the key that seals prompts, if the configuration has none. */
const keyFile = 'prompt-log-key'
/** Days for which prompts are kept if an account sets no number. */
const usualDays = 7

/** Undefined: no prompts are kept. */
export function promptLogOf(
  configuration: Configuration,
  storage: Storage,
  log: GatewayLog,
): PromptLog | undefined {
  const { promptLog } = configuration
  const days = logDaysOf(configuration)
  const encryptionKeys = keysOf(configuration)
  if (promptLog === null || days === undefined || encryptionKeys === undefined) return undefined
  return new PromptLog(storage.promptLogs, { ...promptLog, encryptionKeys, days }, log)
}

/** Undefined: no prompts are kept any more. */
export function logDaysOf({ promptLog }: Configuration): LogDays | undefined {
  return promptLog === null
    ? undefined
    : { usual: Math.min(usualDays, promptLog.maxDays), most: promptLog.maxDays }
}

/** Nodes that share a database need a common key, so a key in a file of one node does not suffice. */
function keysOf({ promptLog, responses, databaseUrl, dataDir }: Configuration): Buffer[] | undefined {
  const configured = promptLog?.encryptionKeys ?? responses?.encryptionKeys
  if (configured !== undefined || promptLog === null || databaseUrl !== null) return configured
  const made = ensureSecret(dataDir, keyFile, () => randomBytes(32).toString('base64'))
  return [Buffer.from(made, 'base64')]
}
