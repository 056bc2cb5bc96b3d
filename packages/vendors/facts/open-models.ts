import type { FactGroup } from './facts.ts'
import { openPlain, openReasoning } from './parameters.ts'

/**
 * The inputs of models behind an OpenAI-compatible server, and whether they reason: parts of a group's facts.
 */

const text: FactGroup['input'] = ['text']
const images: FactGroup['input'] = ['text', 'image']

export const plainText = { input: text, parameters: openPlain }
export const plainImages = { input: images, parameters: openPlain }
export const reasoningText = { input: text, parameters: openReasoning }
export const reasoningImages = { input: images, parameters: openReasoning }
