//! What ends with an account or its password, in Korean.

use crate::http::pages::texts::Endings;

pub(super) const KO: Endings = Endings {
    revoke_keys: "API 키도 모두 폐기",
    revoke_keys_hint: "키를 쓰는 프로그램은 새 키로 바꿀 때까지 작동하지 않아요. 다른 사람이 키를 모르는 것이 확실할 때만 유지하세요.",
};
