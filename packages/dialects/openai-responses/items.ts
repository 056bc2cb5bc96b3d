/*
 * Items of an answer, which callers send back with the next request
 * (https://platform.openai.com/docs/api-reference/responses/object).
 */

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface OutputText {
  type: 'output_text'
  text: string
  annotations: unknown[]
  logprobs: unknown[]
}

export interface OutputRefusal {
  type: 'refusal'
  refusal: string
}

export interface MessageItem {
  type: 'message'
  id: string
  status: ItemStatus
  role: 'assistant'
  content: (OutputText | OutputRefusal)[]
}

export interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  content?: { type: 'reasoning_text'; text: string }[]
  encrypted_content?: string
}

export interface FunctionCallItem {
  type: 'function_call'
  id: string
  status: ItemStatus
  call_id: string
  name: string
  namespace?: string
  arguments: string
}

export interface CustomCallItem {
  type: 'custom_tool_call'
  id: string
  status: ItemStatus
  call_id: string
  name: string
  namespace?: string
  input: string
}

/** A search by the client among its own tools: https://platform.openai.com/docs/guides/tools-tool-search. */
export interface SearchCallItem {
  type: 'tool_search_call'
  id: string
  status: ItemStatus
  call_id: string
  execution: 'client'
  /** An object, unlike the arguments of functions. */
  arguments: unknown
}

export type CallItem = FunctionCallItem | CustomCallItem | SearchCallItem

export type OutputItem = MessageItem | ReasoningItem | CallItem
