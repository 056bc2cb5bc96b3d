import { noCredential, type Credential } from '@turnpike/gateway'
import { startVendorServer } from '@turnpike/simulators'
import { Registry } from 'prom-client'
import { chatScript } from '../../money/testing/billed-answers.ts'
import { startTestNode } from '../../../../tests/nodes/test-node.ts'
import { registerCredentialMetrics } from '../credential-metrics.ts'
import { registerLimitMetrics } from '../limit-metrics.ts'
import { registerOwnKeyMetrics } from '../own-key-metrics.ts'
import { metersOf } from '../register.ts'

export interface KnownMetric {
  help: string
  type: string
  labels: Set<string>
}

const token: Credential = {
  ...noCredential,
  kind: 'token',
  number: 1,
  state: () => ({ ...noCredential.state(), kind: 'token', source: 'a test', expiresInSeconds: 60 }),
}

/** All metrics of a node that has served several kinds of request, also those of Redis and credentials. */
export async function knownMetrics(): Promise<Map<string, KnownMetric>> {
  const vendor = await startVendorServer()
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  vendor.next({ script: chatScript({ tier: 'of no price', usage }, false) })
  const pricing = { prompt: '0.000001', completion: '0.000001' }
  const node = await startTestNode({
    input: {
      providers: { sandbox: { style: 'sandbox' }, vendor: { style: 'openai', base_url: vendor.baseUrl() } },
      models: { 'vendor/m': { pricing } },
    },
  })
  try {
    const key = await node.createKey()
    for (const model of ['sandbox/echo', 'auto', 'sandbox/none', 'vendor/m'])
      await (await node.chat(key, { model, messages: [{ role: 'user', content: 'Hello' }] })).text()
    const registry = new Registry()
    const meters = metersOf(registry)
    const limiter = { refused: { burst: 0, requests: 0, 'input-tokens': 0, 'output-tokens': 0 } }
    const redis = { isUp: true, tally: { failures: 0, lostCorrections: 0 } }
    registerLimitMetrics(meters, { limiter, redis })
    registerCredentialMetrics(meters, new Map([['cloud', [token]]]))
    registerOwnKeyMetrics(meters, { sealed: new Map([['2026', 1]]) })
    const text = await (await node.metrics()).text()
    return new Map([...metricsIn(text), ...metricsIn(await registry.metrics())])
  } finally {
    await node.stop()
    await vendor.close()
  }
}

/** Prometheus's text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
function metricsIn(text: string): Map<string, KnownMetric> {
  const metrics = new Map<string, KnownMetric>()
  for (const [, name, help, type] of text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm))
    metrics.set(name!, { help: help!, type: type!, labels: new Set() })
  for (const [, name, labels] of text.matchAll(/^([a-z]\w*)\{(.*)\} /gm)) {
    const metric = metrics.get(name!) ?? metrics.get(name!.replace(/_(bucket|sum|count)$/, ''))
    for (const [, label] of labels!.matchAll(/(\w+)="/g)) metric?.labels.add(label!)
  }
  return metrics
}
