//! What ends with an account or its password, in Korean.

use crate::http::pages::texts::Endings;

pub(super) const KO: Endings = Endings {
    revoke_keys: "API 키도 모두 폐기",
    revoke_keys_hint: "키를 쓰는 프로그램은 새 키를 받을 때까지 멈춰요. 다른 사람이 키를 알 리 없을 때만 남겨 두세요.",
};
