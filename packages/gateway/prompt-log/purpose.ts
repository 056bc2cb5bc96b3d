import type { RingPurpose } from '../kept/key-ring.ts'

export const promptLogPurpose: RingPurpose = { of: 'prompt log', setting: 'prompt_log.encryption_keys' }
