/* The parts of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html) that we use. */

export type JsonSchema = Record<string, unknown>

export interface Reference {
  $ref: string
}

export interface Header {
  description: string
  required?: boolean
  schema: JsonSchema
}

export interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

export interface DocumentedResponse {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<string, MediaType>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  schema: JsonSchema
}

export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, DocumentedResponse | Reference>
}

export type PathItem = Record<string, DocumentedOperation>

export interface OpenapiDocument {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  /** Requests that the gateway itself sends. */
  webhooks?: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, DocumentedResponse>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    securitySchemes: Record<string, object>
  }
}

/** By header name. */
export type ResponseHeaders = Record<string, Header | Reference>
