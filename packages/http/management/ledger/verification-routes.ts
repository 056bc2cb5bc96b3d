import {
  explainDifference,
  verificationStates,
  type LedgerDifference,
  type VerificationRun,
} from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import type { ManagementServices } from '../services.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import {
  epochSeconds,
  epochSecondsOrNull,
  identifierOf,
  nullable,
  timestamp,
  requestObject,
} from '../validation/fields.ts'
import { LedgerVerifier } from './verifier.ts'
import { requireFound } from '../not-found.ts'

const differenceSchema = Type.Object(
  {
    subject: Type.String({ description: 'What was compared.' }),
    expected: Type.String({ description: 'Recomputed value; amounts in pico-USD.' }),
    found: Type.String(),
    meaning: Type.String({ description: 'What differs, as text.' }),
    remedy: Type.String({ description: 'What to check first.' }),
  },
  { title: 'LedgerDifference' },
)
const checked = Type.Integer({ description: 'How many balances, leases and charges were recomputed.' })
const differences = Type.Array(differenceSchema, {
  description: 'The first thousand; the rest is only counted.',
})

const resultSchema = Type.Object({ ok: Type.Boolean(), checked, differences })

const runSchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('ledger_verification'),
    state: Type.Enum([...verificationStates], {
      description:
        '`stopped`: it took longer than ten minutes (the daily one: an hour), or its node stopped. ' +
        '`failed`: see the log.',
    }),
    ok: nullable(Type.Boolean({ description: 'Null: not known, or not known yet.' })),
    started_at: timestamp,
    finished_at: nullable(timestamp),
    checked,
    differences,
  },
  { title: 'LedgerVerification' },
)

type VerificationServices = Pick<
  ManagementServices,
  'ledger' | 'verifications' | 'nodeId' | 'clock' | 'logger'
>

/** Recomputes every balance from its entries, while the caller waits or in the background. */
export function registerLedgerVerification(
  app: ManagementApp,
  path: string,
  services: VerificationServices,
): void {
  const { ledger, clock, logger, nodeId = 'this node', verifications: runs } = services
  const verifier = new LedgerVerifier({ ledger, runs, nodeId, clock, logger })
  app.addHook('onClose', () => verifier.stop())

  // 200 even if balances differ: the check itself succeeded.
  app.get(`${path}/verify`, { schema: { response: { 200: resultSchema } } }, async () => {
    const found = await verifier.verify()
    return { ok: found.ok, checked: found.checked, differences: found.differences.map(withExplanation) }
  })

  app.post(`${path}/verifications`, { schema: { response: { 202: runSchema } } }, async (_request, reply) =>
    reply.code(202).send(runRecord(await verifier.begin())),
  )

  app.get(
    `${path}/verifications`,
    {
      schema: {
        querystring: requestObject({ ...timeQuery, ...pageQuery }),
        response: { 200: listOf(runSchema) },
      },
    },
    async (request) =>
      listAnswer(await runs.list(timeRange(request.query), pageOf(request.query)), runRecord),
  )

  app.get(
    `${path}/verifications/:verification_id`,
    {
      schema: {
        params: Type.Object({ verification_id: identifierOf('ver') }),
        response: { 200: runSchema },
      },
    },
    async (request) => {
      return runRecord(requireFound(await runs.find(request.params.verification_id), 'Verification'))
    },
  )
}

function runRecord(run: VerificationRun): Static<typeof runSchema> {
  return {
    id: run.id,
    object: 'ledger_verification',
    state: run.state,
    ok: run.differences.length > 0 ? false : run.state === 'finished' ? true : null,
    started_at: epochSeconds(run.startedAtMs),
    finished_at: epochSecondsOrNull(run.finishedAtMs),
    checked: run.checked,
    differences: run.differences.map(withExplanation),
  }
}

function withExplanation(difference: LedgerDifference): Static<typeof differenceSchema> {
  return { ...difference, ...explainDifference(difference) }
}
