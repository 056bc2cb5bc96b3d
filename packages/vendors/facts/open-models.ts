import type { FactGroup } from './facts.ts'
import { openPlain, openReasoning } from './parameters.ts'

/* What models behind an OpenAI-compatible server read, and whether they reason: part of a group of them. */

const text: FactGroup['input'] = ['text']
const images: FactGroup['input'] = ['text', 'image']

export const plainText = { input: text, parameters: openPlain }
export const plainImages = { input: images, parameters: openPlain }
export const reasoningText = { input: text, parameters: openReasoning }
export const reasoningImages = { input: images, parameters: openReasoning }
