import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Differences } from './differences.ts'
import type { Events } from '../events.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { logOf } from '../fleet/node.ts'
import type { Sighting } from '../clients/sighting.ts'

export interface Findings {
  seed: number
  events: Events
  differences: Differences
  fleet: Fleet
}

/** How much is kept of an answer's end: enough to see where it broke off. */
const keptText = 200

/**
 * Writes what a run has seen into a new folder that outlives it: the differences, each request and movement,
 * each disturbance, and the nodes' logs. Call it at the end of a run, after its nodes have ended.
 * @returns lines that name the files
 */
export function keepFindings({ seed, events, differences, fleet }: Findings): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-findings-'))
  const write = (name: string, values: readonly unknown[]): void =>
    writeFileSync(join(folder, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  write('run.json', [{ seed, engine: fleet.engine, differences: differences.count }])
  write('differences.jsonl', differences.first)
  write('requests.jsonl', events.sightings.map(written))
  write(
    'movements.jsonl',
    events.movements.map(({ account, ...movement }) => ({ account: account.id, ...movement })),
  )
  write('disturbances.jsonl', disturbancesOf(fleet))
  for (const { index, gateway } of fleet.nodes) {
    const log = logOf(gateway)
    if (existsSync(log)) copyFileSync(log, join(folder, `node-${index}.log`))
  }
  return [
    `seed ${seed}: requests, disturbances and what the nodes said are kept in ${folder}`,
    `data of the nodes and of the database are kept in ${fleet.folders.join(', ')}`,
  ]
}

/** Omits the key's secret. */
function written({ plan, key, sentAtMs, endedAtMs, text, ...seen }: Sighting): object {
  const { number, slot, model, stream, maxTokens, prompt } = plan
  return {
    number,
    sentAt: new Date(sentAtMs).toISOString(),
    tookMs: endedAtMs - sentAtMs,
    ...seen,
    key: key.id,
    plan: { slot, model, stream, maxTokens, prompt },
    textEnd: text.slice(-keptText),
  }
}

function disturbancesOf({ nodes, database }: Fleet): object[] {
  const all = [
    ...nodes.flatMap(({ index, killed, restarted, halted }) =>
      Object.entries({ killed, restarted, halted }).flatMap(([what, periods]) =>
        periods.map((period) => ({ who: `node ${index}`, what, ...period })),
      ),
    ),
    ...(database?.away ?? []).map((period) => ({ who: 'database', what: 'away', ...period })),
  ]
  return all
    .toSorted((left, right) => left.fromMs - right.fromMs)
    .map(({ who, what, fromMs, toMs }) => ({
      who,
      what,
      from: new Date(fromMs).toISOString(),
      lastedMs: Number.isFinite(toMs) ? toMs - fromMs : null,
    }))
}
