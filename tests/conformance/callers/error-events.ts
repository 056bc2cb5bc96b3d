import type { StyleName } from '../vendors/scripted/styled-vendor.ts'

/** The events with which vendors of each style report an error in the middle of a stream. */
export const errorEvents: Record<StyleName, string> = {
  openai: 'data: {"error":{"message":"We broke.","type":"server_error","code":null,"param":null}}\n\n',
  'openai-responses':
    'event: response.failed\ndata: {"type":"response.failed","response":{"id":"resp_1","status":"failed",' +
    '"error":{"code":"server_error","message":"We broke."},"output":[],"usage":null}}\n\n',
  anthropic:
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"We broke."}}\n\n',
  google: 'data: {"error":{"code":503,"message":"We broke.","status":"UNAVAILABLE"}}\r\n\r\n',
  mistral: 'data: {"object":"error","message":"We broke.","type":"internal_error","code":1000}\n\n',
  cohere: 'data: {"id":"8f2c","message":"We broke."}\n\n',
  deepseek: 'data: {"error":{"message":"We broke.","type":"server_error"}}\n\n',
}
