import { exampleModel } from '../compatible/model.ts'
import { operationsOf } from '../operation.ts'

const uptimes = [1, 0.999, 1, 0.991, 1, null, 0.998]

const exampleProviders = {
  object: 'model_providers',
  model: exampleModel.id,
  endpoints: ['chat.completions', 'messages', 'generate_content', 'responses', 'completions'],
  measured_days: 7,
  providers: [
    {
      provider: 'openai',
      pricing: exampleModel.pricing,
      native_endpoints: ['chat.completions', 'responses'],
      state: 'working',
      measured: {
        scope: 'all',
        requests: null,
        uptime: 0.998,
        uptime_by_day: uptimes.map((uptime, index) => ({ day: `2026-03-0${index + 1}`, uptime })),
        time_to_first_token_ms: { p50: 430, p95: 1180 },
        latency_ms: { p50: 2400, p95: 9700 },
        tokens_per_second: 84,
      },
    },
  ],
  fallbacks: [],
  choices: [],
}

const providersDescription =
  'Providers in the order in which they are tried, each with its prices, the APIs whose requests are ' +
  'passed through unchanged, and its recent performance: the figures of all accounts together ' +
  'if at least three of them called it 100 times in total, and none made more than four fifths of that'

export const modelOperations = operationsOf('Models', {
  'GET /models': {
    id: 'listModelsOfAccount',
    summary: 'List models without a key',
    description: 'The same as `GET /v1/models`, for signed-in people without a key.',
    answer: { object: 'list', data: [exampleModel] },
  },
  'GET /models/providers': {
    id: 'listModelProviders',
    summary: 'Providers of a model',
    description: `${providersDescription}; else your own.`,
    answer: exampleProviders,
  },
  'GET /public/models': {
    id: 'listPublicModels',
    summary: 'List models without signing in',
    description:
      'Like `GET /v1/models`, with the limits of a new account and without the operator’s aliases. Only ' +
      'available if the operator has set `dashboard.public_models`. Caches may keep it for a minute.',
    polled: true,
    answer: { object: 'list', data: [exampleModel] },
  },
  'GET /public/models/providers': {
    id: 'listPublicModelProviders',
    summary: 'Providers of a model, without signing in',
    description: `${providersDescription}; else none. It is there where \`GET /api/v1/public/models\` is.`,
    polled: true,
    errors: [404],
    answer: exampleProviders,
  },
  'POST /route': {
    id: 'explainRoute',
    summary: 'Explain auto-routing',
    description:
      'What `turnpike/auto` would pick for a request, and why. The body is one of ' +
      '`POST /v1/chat/completions`. No model is called, and nothing is charged or stored.',
    errors: [503],
    request: { messages: [{ role: 'user', content: 'Prove that there are infinitely many primes.' }] },
    answer: {
      object: 'route',
      model: 'openai/gpt-5.1',
      tier: 'COMPLEX',
      profile: 'auto',
      scored_tier: 'COMPLEX',
      calibration: 'shadow',
      calibrated_tier: 'COMPLEX',
      correction: { SIMPLE: -0.62, MEDIUM: 0, COMPLEX: 0, REASONING: 0 },
      score: 0.71,
      probabilities: { SIMPLE: 0.52, MEDIUM: 0.68, COMPLEX: 0.86, REASONING: 0.91 },
      confident: true,
      known: 0.94,
      reasons: [{ reason: 'asks for a proof', weight: 1.3 }],
      because: [],
      filters: [{ model: 'openai/gpt-3.5-turbo', reason: 'does not honour tools' }],
      candidates: [
        { model: 'openai/gpt-5.1', tier: 'COMPLEX', expected_cost_usd: '0.0100325', healthy: true },
        { model: 'openai/gpt-5.2', tier: 'REASONING', expected_cost_usd: '0.0420455', healthy: true },
      ],
      runner_up: 'openai/gpt-5.2',
    },
  },
})
