import type { ModelAdapter } from '../../../model/model.js';
import { functionNames } from '../function-names.js';
import { GOOGLE_SDK } from '../sdk-version.js';
import { prepareCall } from '../send-call.js';
import { encodeGenerateContent, modelPath } from './encode.js';
import { GenerateContentAssembly } from './reply-assembly.js';

/** Google's generateContent, streamed: the Gemini API, and servers that speak it. */
export function createGenerateContentAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'google-generateContent 1', sdk: GOOGLE_SDK },
    prepare(request, access) {
      const names = functionNames(request.tools);
      const body = encodeGenerateContent(request, names);
      const path = `${modelPath(request.choice.model)}:streamGenerateContent`;
      return prepareCall({
        request: { path, query: { alt: 'sse' }, headers: {}, body },
        access,
        newAssembly: () => new GenerateContentAssembly(request.choice, names.toTool),
      });
    },
  };
}
