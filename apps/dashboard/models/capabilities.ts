import type { Schemas } from '../api/client.ts'
import { capabilityNames, type CapabilityName } from './capability-names.ts'

type Model = Schemas['Model']

/** The name of an auto-routing model, which chooses a model for each request. */
export function isAuto({ owned_by: by }: Pick<Model, 'owned_by'>): boolean {
  return by === 'turnpike'
}

export function isAnswering({ operations }: Pick<Model, 'operations'>): boolean {
  return operations.includes('generate')
}

interface Capability {
  label: string
  isOf: (model: Model) => boolean
}

const takes =
  (parameter: string) =>
  ({ supported_parameters: all }: Model): boolean =>
    all.includes(parameter)
const reads =
  (modality: string) =>
  ({ modalities }: Model): boolean =>
    modalities.input.includes(modality)
const does =
  (operation: Model['operations'][number]) =>
  ({ operations }: Model): boolean =>
    operations.includes(operation)

export const capabilities: Record<CapabilityName, Capability> = {
  tools: { label: 'Tools', isOf: takes('tools') },
  image: { label: 'Images', isOf: reads('image') },
  audio: { label: 'Audio', isOf: reads('audio') },
  file: { label: 'Files', isOf: reads('file') },
  video: { label: 'Video', isOf: reads('video') },
  json: { label: 'JSON schema', isOf: takes('response_format') },
  reasoning: { label: 'Reasoning', isOf: takes('reasoning') },
  cache: {
    label: 'Cached input',
    isOf: ({ pricing }) => pricing.input_cache_read !== undefined,
  },
  search: {
    label: 'Web search',
    isOf: ({ pricing }) => pricing.web_search !== undefined || pricing.grounded_prompt !== undefined,
  },
  embeddings: { label: 'Embeddings', isOf: does('embed') },
  rerank: { label: 'Rerank', isOf: does('rerank') },
  moderation: { label: 'Moderation', isOf: does('moderate') },
}

export function capabilitiesOf(model: Model): CapabilityName[] {
  return capabilityNames.filter((name) => capabilities[name].isOf(model))
}
