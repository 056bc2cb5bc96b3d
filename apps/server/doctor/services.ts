import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { UpstreamClient } from '@turnpike/gateway'
import { RedisCounts } from '@turnpike/limits'
import type { Configuration } from '../configuration/configuration.ts'
import { databasePath, openStores } from '../open-stores.ts'
import { ask } from './ask.ts'
import { reasonOf, type ClockReading, type Finding } from './finding.ts'

/** Opens the database as it is and changes nothing in it. */
export async function examineDatabase(configuration: Configuration): Promise<Finding> {
  const of = 'Database'
  const isEmbedded = configuration.databaseUrl === null
  const path = databasePath(configuration)
  if (isEmbedded && !existsSync(path))
    return { of, state: 'ok', says: `SQLite; ${path} is created on first start` }
  try {
    const storage = await openStores(configuration, { asItIs: true })
    await storage.ping()
    await storage.close()
    return { of, state: 'ok', says: isEmbedded ? `SQLite at ${path}` : 'PostgreSQL is reachable' }
  } catch (error) {
    const reason = reasonOf(error)
    if (/older version of this program|schema_migrations/.test(reason))
      return { of, state: 'ok', says: 'it is reachable; the next start migrates its tables' }
    return { of, state: 'wrong', says: `cannot be opened: ${reason}` }
  }
}

export async function examineRedis({ redis }: Configuration): Promise<Finding[]> {
  const of = 'Redis'
  if (redis === null) return []
  let reason = 'it does not respond'
  const counts = await RedisCounts.open({
    ...redis,
    onChange: (isUp, why) => {
      if (!isUp && why !== undefined) reason = why
    },
  })
  const { isUp } = counts
  counts.close()
  if (isUp) return [{ of, state: 'ok', says: 'it responds, and counts' }]
  return [
    {
      of,
      state: 'wrong',
      says: `${reason}: check redis.url; until then each node counts limits separately`,
    },
  ]
}

/** Whether an external issuer names itself as the configuration does. */
export async function examineIssuer(
  { identity }: Configuration,
  client: UpstreamClient,
): Promise<{ findings: Finding[]; clocks: ClockReading[] }> {
  const of = 'Issuer'
  if (identity.external === null)
    return { findings: [{ of, state: 'ok', says: 'the embedded one' }], clocks: [] }
  const { issuer } = identity.external
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const { status, body, clock } = await ask(client, address)
    const clocks = clock === undefined ? [] : [clock]
    if (status !== 200)
      return {
        findings: [{ of, state: 'wrong', says: `${address} returns ${status}: check identity.issuer` }],
        clocks,
      }
    const says = (JSON.parse(body) as { issuer?: unknown }).issuer
    if (says === issuer) return { findings: [{ of, state: 'ok', says: issuer }], clocks }
    const wrong = `${issuer} identifies itself as ${String(says)}: set identity.issuer to exactly that`
    return { findings: [{ of, state: 'wrong', says: wrong }], clocks }
  } catch (error) {
    return { findings: [{ of, state: 'wrong', says: `${address}: ${reasonOf(error)}` }], clocks: [] }
  }
}

/** Where Stripe sends its events. */
const webhookPath = '/webhooks/stripe'

export async function examinePayments({ payments, server }: Configuration): Promise<Finding[]> {
  if (payments === null)
    return [{ of: 'Payments', state: 'ok', says: 'credit cannot be bought: there is no payments section' }]
  if (payments.processor === 'sandbox') return [{ of: 'Payments', state: 'ok', says: 'play money' }]
  const { examineStripe } = await import('@turnpike/billing/stripe-examination')
  try {
    const { isLive, webhook } = await examineStripe(payments, server.publicUrl + webhookPath)
    const key: Finding = {
      of: 'Stripe',
      state: 'ok',
      says: `the key works, with ${isLive ? 'real' : 'test'} money`,
    }
    return [key, { of: 'Webhook', ...webhook }]
  } catch (error) {
    return [{ of: 'Stripe', state: 'wrong', says: `${reasonOf(error)}: check payments.stripe.secret_key` }]
  }
}

/** Whether the gateway may listen at its address. What already answers there may be the gateway itself. */
export async function examineAddress(
  { server: { host, port } }: Configuration,
  client: UpstreamClient,
): Promise<Finding> {
  const of = 'Address'
  const address = `${host}:${port}`
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return { of, state: 'ok', says: `${address} is free` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE')
      return { of, state: 'wrong', says: `cannot listen on ${address}: ${reasonOf(error)}` }
    if (await isOurs(port, client)) return { of, state: 'ok', says: `a gateway is running at ${address}` }
    return {
      of,
      state: 'wrong',
      says: `${address} is in use by another program: set server.port to a free one`,
    }
  } finally {
    server.close()
  }
}

async function isOurs(port: number, client: UpstreamClient): Promise<boolean> {
  try {
    const { status, body } = await ask(client, `http://127.0.0.1:${port}/healthz`)
    return status === 200 && body.includes('"status"')
  } catch {
    return false
  }
}
