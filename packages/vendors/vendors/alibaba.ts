import { bearer, type Vendor } from '../vendor.ts'

/**
 * The international address; in China it is `https://dashscope.aliyuncs.com/compatible-mode/v1`. "developer
 * is not one of ['system', 'assistant', 'user', 'tool', 'function']": proma-ai/Proma#1496.
 */
export const alibaba: Vendor = {
  name: 'alibaba',
  title: 'Alibaba Cloud Model Studio',
  style: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  credential: bearer,
  headers: {},
  takesStreamOptions: true,
  outputBoundField: 'max_tokens',
  refusesDeveloper: true,
  variable: 'DASHSCOPE_API_KEY',
  documentation: 'https://www.alibabacloud.com/help/en/model-studio/use-qwen-by-calling-api',
  pricedBy: [],
}
